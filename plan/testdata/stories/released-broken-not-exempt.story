# Overlap Never: n2's Node breaks when its source has just been released for a proven target. It has no agent because of the rollout, so that it is
# not exempt: n3 waits for it.
nodes 3
set overlap=Never
set exempt=1
quiet
pair 1
desired 2
until TargetProven
aloud
until ReleaseSource
fault BreakNode n2
steps 3
explain
fault MendNode n2
run
----
+23s Advancing
  SetNodeSlot n2 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:released-to-green | n3 b1(ready)
! BreakNode n2
+23s Advancing
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2!:green | n3 b1(ready)
+24s Advancing blocked: BudgetSpent: 1 node waits for budget: 0 committed + 1 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n2 (ambient, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
  n1 Done OnTarget: served by the target
  n2 Wait NodeNotReady: the Node is not Ready: it is left for last
  n3 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
! MendNode n2
+34s Advancing
  SetNodeSlot n3 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:released-to-green
+35s Advancing
  SetNodeSlot n3 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+45s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+46s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+47s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+48s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+49s Steady complete
