# A conventional DaemonSet is taken over before its template is changed, or the native rolling update would begin.
set type=RollingUpdate
nodes 3
deployed 1
desired 2
run
----
+0s Preparing
  UpdateSlot agent DaemonSetAdopted
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+10s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+20s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+21s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready)
+31s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+41s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+42s Steady complete
