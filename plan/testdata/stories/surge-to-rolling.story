# Both live on one DaemonSet: the strategy may change, the wrapper goes with a new revision, delete-first.
set type=Surge overlap=Locked
nodes 2
steady 1
set type=RollingUpdate overlap=
run
----
+10s Preparing
  UpdateSlot agent DaemonSetAdopted
    n1 b1(ready) | n2 b1(ready)
+11s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready)
+12s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready)
+22s Advancing
  RecordState agent TargetProven
    n1 b1(ready) | n2 b1(ready)
+23s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready)
+33s Completing
  RecordState agent RolloutComplete
    n1 b1(ready) | n2 b1(ready)
+34s Steady complete
