# Two nodes are not for the agent any more: they get no new Pod, and keep the old one.
set type=Surge maxUnavailable=1
nodes 4
steady 1
fault TaintNode n1 reserved:NoSchedule
fault TaintNode n2 reserved:NoSchedule
desired 2
run
explain
----
! TaintNode n1 reserved:NoSchedule
! TaintNode n2 reserved:NoSchedule
+10s Preparing
  UpdateSlot agent NewRevision
    n1 | n2 | n3 b2(ready) b1(ready) | n4 b1(ready)
+20s Advancing
  RecordState agent TargetProven
    n1 | n2 | n3 b2(ready) | n4 b1(ready) b2(ready)
+31s Completing
  RecordState agent RolloutComplete
    n1 | n2 | n3 b2(ready) | n4 b2(ready)
+32s Steady complete
  n3 Done OnSource: served by the DaemonSet
  n4 Done OnSource: served by the DaemonSet
