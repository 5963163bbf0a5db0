set type=Surge overlap=Locked maxUnavailable=2
nodes 4
steady 1
desired 2
until HandoffPrepared
desired 3
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
  DeletePod agent-s89wq HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(waits) b1(ready) | n4 b1(ready) b2(waits)
+11s Preparing
  UpdateSlot agent NewRevision
    n1 b2(ready) b3(waits) | n2 b3(waits) b2(ready) | n3 b1(ready) b3(waits) | n4 b1(ready) b3(waits)
+21s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v HandoffPrepared (paid)
  DeletePod agent-qcdz7 HandoffPrepared (paid)
    n1 b3(ready) | n2 b3(ready) | n3 b1(ready) b3(waits) | n4 b1(ready) b3(waits)
+31s Advancing
  RecordState agent TargetProven
    n1 b3(ready) | n2 b3(ready) | n3 b1(ready) b3(waits) | n4 b1(ready) b3(waits)
+32s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t HandoffPrepared (paid)
  DeletePod agent-2djhx HandoffPrepared (paid)
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready) | n4 b3(ready)
+42s Completing
  RecordState agent RolloutComplete
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready) | n4 b3(ready)
+43s Steady complete
