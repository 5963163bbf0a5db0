# Paused, the native controller is stopped once; it makes no new Pod, and takes back those that waited. Then it goes on.
set type=Surge overlap=Locked
nodes 3
steady 1
desired 2
steps 2
set paused=true
run
set paused=false
steps 2
set frozen=true
run
set frozen=false
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready)
+12s Advancing
  UpdateSlot agent NativeStopped
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+22s Advancing blocked: RolloutPaused: spec.strategy.paused stops all deletions: set it to false to go on
+22s Advancing
  UpdateSlot agent SurgeEnabled
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready)
+23s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(waits) b1(ready)
+24s Advancing
  UpdateSlot agent NativeStopped
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready)
+34s Advancing blocked: RolloutFrozen: spec.strategy.frozen stops everything: set it to false to go on
+34s Advancing
  UpdateSlot agent SurgeEnabled
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready) b2(waits)
+35s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+45s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+46s Steady complete
