# n1 and n2 have no room for two Pods: the old one goes first there, within the budget.
set type=Surge overlap=Locked
nodes 3
full n1 1500m
full n2 1500m
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
    n1 b2(ready) | n2 b2(pending) b1(ready) | n3 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(pending) b1(ready) | n3 b1(ready)
+22s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq CapacityFallback (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(waits) b1(ready)
+32s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+42s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+43s Steady complete
