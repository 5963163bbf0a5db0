set type=Surge overlap=Locked maxUnavailable=2
nodes 5
steady 1
desired 2
run
draw
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
  DeletePod agent-s89wq HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(waits) b1(ready) | n4 b1(ready) b2(waits) | n5 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(ready) | n3 b2(waits) b1(ready) | n4 b1(ready) b2(waits) | n5 b1(ready)
+22s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t HandoffPrepared (paid)
  DeletePod agent-2djhx HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready) | n5 b1(ready) b2(waits)
+32s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-ctk4l HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready) | n5 b2(ready)
+42s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready) | n5 b2(ready)
+43s Steady complete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready) | n5 b2(ready)
