# Once the target is proven, a node that dies later is ambient: it is charged like any other broken node, and a budget
# that has room for it goes on. A node labelled for the target is never exempt.
nodes 4
set maxUnavailable=2 exempt=1
quiet
pair 1
desired 2
until TargetProven
aloud
fault BreakNode n1
steps 1
explain
ledger
run
fault MendNode n1
run
----
! BreakNode n1
+24s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1!:green g2(starts) | n2:green g2(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
  n1 Wait NodeNotReady: the Node is not Ready: it is left for last
  n2 Done OnTarget: served by the target
  n3 Action HandoffPrepared: handoff: the source exits and the prepared target gets the locks (paid)
  n4 Wait WaitingForBudget: waiting for budget: 1 committed + 1 ambient ≥ 2, 1 of them by this plan
  4 eligible = 3 available + 1 ambient + 0 committed
+34s Advancing
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1!:green g2(starts) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+44s Completing
  UpdateSlot agent-green OwnershipMoved
    n1!:green g2(starts) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+45s Completing
  UpdateSlot agent OwnershipMoved
    n1!:green g2(starts) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+46s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1!:green g2(starts) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+47s Steady
  UpdateSlot agent SlotFollows
    n1!:green g2(starts) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+48s Steady complete
! MendNode n1
+58s Steady complete
