# A request of a dead executor can still delete another Pod: nothing that takes a seat is sent before its time is over.
set type=RollingUpdate
nodes 3
steady 1
desired 2
restart first
delay StaleRevision
restart second 30s
steps 2
land
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid) — on its way
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+41s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
! the late request for agent-lqlw7 is refused: NotFound (404): Pod/datadog/agent-lqlw7: not found
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+51s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+52s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready)
+1m2s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m12s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m13s Steady complete
