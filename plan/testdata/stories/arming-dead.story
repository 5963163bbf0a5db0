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
+10m30s Arming blocked: BudgetSpent: the native rolling update that installs the wrapper has got no further for 10m0s: its budget of 1 is spent by node n3 (Pod agent-k2m5t still ends, its Node is not Ready). Repair or remove what spends it, raise spec.strategy.maxUnavailable, or desire a template that starts there
  n1 Wait WaitingForArming: waiting for arming: the wrapper is being installed
  n2 Wait WaitingForArming: waiting for arming: the wrapper is being installed
  n3 Wait WaitingForArming: waiting for arming: the wrapper is being installed
  Available=True WithinBudget: 3 eligible = 2 available + 1 ambient + 0 committed
  Progressing=False BudgetSpent: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True BudgetSpent: the native rolling update that installs the wrapper has got no further for 10m0s: its budget of 1 is spent by node n3 (Pod agent-k2m5t still ends, its Node is not Ready). Repair or remove what spends it, raise spec.strategy.maxUnavailable, or desire a template that starts there
