set type=Surge maxUnavailable=1
nodes 3
full n1 1500m
steady 1
desired 2
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(pending) b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 CapacityFallback (paid)
    n1 b2(ready) | n2 b2(ready) b1(ready) | n3 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) b1(ready)
+32s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+33s Steady complete
