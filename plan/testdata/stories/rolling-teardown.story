set type=RollingUpdate
nodes 2
steady 1
desired 2
steps 2
set intent=Teardown
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b2(ready) | n2 b1(ready)
+12s TearingDown
  RecordIntent agent IntentRecorded
    n1 b2(ready) | n2 b1(ready)
+13s TearingDown
  DeleteSlot agent RolloutTornDown
    n1 | n2
+14s TearingDown
  RecordIntent agent RolloutTornDown
    n1 | n2
+15s Gone complete
