# A node without power holds the only seat. The rollout says which node it is and what would help, and goes on when its
# owner says that such a node need not be counted; the node itself follows last.
nodes 3
quiet
pair 1
fault LoseNode n2
desired 2
run
aloud
conditions
set exempt=1
run
----
! LoseNode n2
  Available=True WithinBudget: 3 eligible = 2 available + 1 ambient + 0 committed
  Progressing=False BudgetSpent: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True BudgetSpent: 2 nodes wait for budget: 0 committed + 1 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n2 (ambient, its Node is not Ready): repair or remove what spends it, raise spec.strategy.maxUnavailable, or set spec.strategy.exemptUnhealthy above 0
+14s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2! b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2! b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2! b1(starts) | n3:green g2(ready)
+35s Advancing
  SetNodeSlot n2 DeadNodeMoved - → green
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+36s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+37s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+38s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+39s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+40s Steady complete
