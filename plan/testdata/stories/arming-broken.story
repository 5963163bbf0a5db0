# The deployed image breaks while the wrapper is installed: after the deadline the plan says what spends the native budget, and a corrected image
# is armed in its place.
nodes 3
deployed 1
settle
wait 30s
image 1 NeverReady
run
conditions
desired 3
run
----
+30s Arming
  UpdateSlot agent WrapperInstalled
    n1 b1(starts) | n2 b1(ready) | n3 b1(ready)
+10m30s Arming blocked: BudgetSpent: the native rolling update that installs the wrapper has got no further for 10m0s: its budget of 1 is spent by node n1 (Pod agent-8gw8v is not available). Repair or remove what spends it, raise spec.strategy.maxUnavailable, or desire a template that starts there
  Available=True WithinBudget: 3 eligible = 2 available + 1 ambient + 0 committed
  Progressing=False BudgetSpent: see the condition Blocked
  Degraded=True CompleteExcept: 1 node is set aside: n1 (SourceNotStarting: Pod agent-8gw8v has not been Ready for 10m0s). They are tried again when something changes on them
  Blocked=True BudgetSpent: the native rolling update that installs the wrapper has got no further for 10m0s: its budget of 1 is spent by node n1 (Pod agent-8gw8v is not available). Repair or remove what spends it, raise spec.strategy.maxUnavailable, or desire a template that starts there
+10m30s Arming
  UpdateSlot agent WrapperInstalled
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready)
+10m40s Arming
  UpdateSlot agent PairArmed
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready)
+10m41s Arming
  CreateSlot agent-green PairArmed
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready)
+10m42s Steady complete
