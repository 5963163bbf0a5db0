set type=RollingUpdate maxUnavailable=2 spread=topology.kubernetes.io/zone
nodes 4
zone a n1 n2
zone b n3 n4
steady 1
desired 2
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
  DeletePod agent-k2m5t StaleRevision (paid)
    n1 b2(ready) | n2 b1(ready) | n3 b2(ready) | n4 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready) | n3 b2(ready) | n4 b1(ready)
+22s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
  DeletePod agent-2djhx StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+32s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+33s Steady complete
