# A Pod that terminates on a dead node is not deleted again: its node counts, and the next one waits.
set type=RollingUpdate
nodes 2
steady 1
fault LoseNode n1
kill-pod n1 blue
wait 60s
desired 2
run
explain
----
! LoseNode n1
! KillPod n1 agent-lqlw7
+1m10s Preparing
  UpdateSlot agent NewRevision
    n1! b1(starts-ends) | n2 b1(ready)
+1m11s Advancing blocked: BudgetSpent: 1 node waits for budget: 1 committed + 0 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n1 (committed, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
  n1 Wait NodeNotReady: the Node is not Ready: it is left for last
  n2 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1
