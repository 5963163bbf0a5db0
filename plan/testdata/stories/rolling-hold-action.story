# failure.action Hold: even an unproven target is not taken back by itself.
set type=RollingUpdate deadline=60 action=Hold
image 2 NeverReady
nodes 2
steady 1
desired 2
run
desired 3
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b2(starts) | n2 b1(ready)
+1m11s Held blocked: FailedAndHeld: the new revision failed on 1 node, first on n1, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes
+1m11s Preparing
  UpdateSlot agent NewRevision
    n1 b2(starts) | n2 b1(ready)
+1m12s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (free)
    n1 b3(ready) | n2 b1(ready)
+1m22s Advancing
  RecordState agent TargetProven
    n1 b3(ready) | n2 b1(ready)
+1m23s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b3(ready) | n2 b3(ready)
+1m33s Completing
  RecordState agent RolloutComplete
    n1 b3(ready) | n2 b3(ready)
+1m34s Steady complete
