# A proven target is never cancelled by present readiness: the outage of a zone (n1 and n2, both on the target) must not
# take it back. The budget is spent, the others wait, and all goes on by itself when the zone is back.
nodes 6
set maxUnavailable=2
quiet
pair 1
desired 2
until TargetProven
wait 15s
aloud
draw
fault LoseNode n1
fault LoseNode n2
wait 30m
run
conditions
fault MendNode n1
fault MendNode n2
run
----
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits) | n5:blue-to-green b1(ready) g2(waits) | n6:blue-to-green g2(waits) b1(ready)
! LoseNode n1
! LoseNode n2
+30m39s Advancing blocked: BudgetSpent: 4 nodes wait for budget: 0 committed + 2 ambient − 0 exempt ≥ maxUnavailable 2. It is spent by n1 (ambient, its Node is not Ready), n2 (ambient, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
  Available=True WithinBudget: 6 eligible = 4 available + 2 ambient + 0 committed
  Progressing=False BudgetSpent: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True BudgetSpent: 4 nodes wait for budget: 0 committed + 2 ambient − 0 exempt ≥ maxUnavailable 2. It is spent by n1 (ambient, its Node is not Ready), n2 (ambient, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
! MendNode n1
! MendNode n2
+30m49s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:blue-to-green b1(ready) g2(waits) | n6:blue-to-green g2(waits) b1(ready)
+30m59s Advancing
  SetNodeSlot n5 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n6 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+31m9s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+31m10s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+31m11s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+31m12s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+31m13s Steady complete
