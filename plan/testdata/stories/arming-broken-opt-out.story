# The same, and an opt-out leaves the arming at once, with a corrected image; a teardown then ends it all.
nodes 3
deployed 1
settle
wait 30s
image 1 NeverReady
run
desired 3
set intent=OptOut
run
set intent=Teardown
run
----
+30s Arming
  UpdateSlot agent WrapperInstalled
    n1 b1(starts) | n2 b1(ready) | n3 b1(ready)
+10m30s Arming blocked: BudgetSpent: the native rolling update that installs the wrapper has got no further for 10m0s: its budget of 1 is spent by node n1 (Pod agent-8gw8v is not available). Repair or remove what spends it, raise spec.strategy.maxUnavailable, or desire a template that starts there
+10m30s OptingOut
  UpdateSlot agent HandedBack
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready)
+10m31s OptingOut
  RecordState agent HandedBack
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready)
+10m32s Gone complete
+10m32s TearingDown
  RecordIntent agent IntentRecorded
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready)
+10m33s TearingDown
  DeleteSlot agent RolloutTornDown
    n1 | n2 | n3
+10m34s TearingDown
  RecordIntent agent RolloutTornDown
    n1 | n2 | n3
+10m35s Gone complete
