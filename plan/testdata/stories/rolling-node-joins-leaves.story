set type=RollingUpdate
nodes 3
steady 1
desired 2
steps 2
fault TaintNode n3 reserved:NoSchedule
run
explain
fault UntaintNode n3 reserved
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
! TaintNode n3 reserved:NoSchedule
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+22s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready)
+32s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready)
+33s Steady complete
  n1 Done OnSource: served by the DaemonSet
  n2 Done OnSource: served by the DaemonSet
  n3 Wait NodeLeaving: no longer eligible: left alone while a Pod is bound here
! UntaintNode n3 reserved
+33s Repairing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+43s Steady
  RecordState agent EmptiedNoted
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+44s Steady complete
