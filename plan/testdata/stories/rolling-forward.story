set type=RollingUpdate deadline=60 maxUnavailable=2
nodes 4
steady 1
desired 2
until TargetProven
image 2 NeverReady
run
set recover=Forward
image 2 Good
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready) | n4 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready) | n4 b1(ready)
+21s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (paid)
  DeletePod agent-2djhx StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(starts) | n4 b2(starts)
+1m21s Held blocked: FailedAndHeld: the new revision failed on 2 nodes, first on n3, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes
+1m21s Advancing
  RecordState agent FailuresForgiven
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+1m31s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+1m32s Steady complete
