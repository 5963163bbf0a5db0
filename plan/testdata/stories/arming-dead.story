# A dead node spends the native budget while the wrapper is installed: the plan says so, and what clears it.
nodes 3
deployed 1
settle
wait 30s
fault LoseNode n3
run
explain
conditions
----
! LoseNode n3
+30s Arming
  UpdateSlot agent WrapperInstalled
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
+31s Arming blocked: BudgetSpent: the native rolling update that installs the wrapper has a budget of 1, which is spent by n3 (ambient, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable
  n1 Wait WaitingForArming: waiting for arming: the wrapper is being installed
  n2 Wait WaitingForArming: waiting for arming: the wrapper is being installed
  n3 Wait WaitingForArming: waiting for arming: the wrapper is being installed
  Available=True WithinBudget: 3 eligible = 2 available + 1 ambient + 0 committed
  Progressing=False BudgetSpent: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True BudgetSpent: the native rolling update that installs the wrapper has a budget of 1, which is spent by n3 (ambient, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable
