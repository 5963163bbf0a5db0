# Without locks two agents may run on a node. To begin with them again no unlocked Pod may be beside: that is rolled delete-first.
set type=Surge overlap=Locked
nodes 2
steady 1
set overlap=Never
run
set overlap=Locked
run
----
+10s Preparing
  UpdateSlot agent DaemonSetAdopted
    n1 b1(ready) | n2 b1(ready)
+11s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready)
+12s Advancing
  UpdateSlot agent SurgeEnabled
    n1 b1(ready) b1(ready) | n2 b1(ready)
+22s Advancing
  RecordState agent TargetProven
    n1 b1(ready) | n2 b1(ready) b1(ready)
+33s Completing
  RecordState agent RolloutComplete
    n1 b1(ready) | n2 b1(ready)
+34s Steady complete
+34s Preparing
  UpdateSlot agent DaemonSetAdopted
    n1 b1(ready) | n2 b1(ready)
+35s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready)
+36s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready)
+46s Advancing
  RecordState agent TargetProven
    n1 b1(ready) | n2 b1(ready)
+47s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-qcdz7 StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready)
+57s Completing
  RecordState agent RolloutComplete
    n1 b1(ready) | n2 b1(ready)
+58s Steady
  UpdateSlot agent SurgeEnabled
    n1 b1(ready) | n2 b1(ready)
+59s Steady complete
