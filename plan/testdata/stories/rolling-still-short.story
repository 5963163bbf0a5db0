# What others hold leaves no room for a larger Pod, even once the old one is gone.
set type=RollingUpdate
nodes 2
full n1 1500m
steady 1
desired 2
set template=big
run
explain
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b1(ready) | n2 b2(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b1(ready) | n2 b2(ready)
+22s Completing
  RecordState agent RolloutComplete
    n1 b1(ready) | n2 b2(ready)
+23s Steady complete
  n1 Block StillShort: the new Pod does not fit even once the old one is gone: cpu: wants 1200m, free 500m, allocatable 2000m
  n2 Done OnSource: served by the DaemonSet
