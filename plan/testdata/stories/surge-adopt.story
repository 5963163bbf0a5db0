set type=Surge overlap=Locked maxUnavailable=1
nodes 3
deployed 1
desired 2
run
desired 3
run
----
+0s Preparing
  UpdateSlot agent DaemonSetAdopted
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+10s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+20s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+21s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready)
+31s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+41s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+42s Steady
  UpdateSlot agent SurgeEnabled
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+43s Steady complete
+43s Preparing
  UpdateSlot agent NewRevision
    n1 b2(ready) b3(waits) | n2 b2(ready) | n3 b2(ready)
+44s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v HandoffPrepared (paid)
    n1 b3(ready) | n2 b3(waits) b2(ready) | n3 b2(ready)
+54s Advancing
  RecordState agent TargetProven
    n1 b3(ready) | n2 b3(waits) b2(ready) | n3 b2(ready)
+55s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-qcdz7 HandoffPrepared (paid)
    n1 b3(ready) | n2 b3(ready) | n3 b2(ready) b3(waits)
+1m5s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-5xzdd HandoffPrepared (paid)
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready)
+1m15s Completing
  RecordState agent RolloutComplete
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready)
+1m16s Steady complete
