# The caches stand still: what was sent is charged all the same.
set type=RollingUpdate maxUnavailable=2
nodes 4
steady 1
desired 2
steps 1
lag on
steps 3
ledger
lag off
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
+12s Advancing rests
  4 eligible = 2 available + 0 ambient + 2 committed
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready) | n4 b1(ready)
+22s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (paid)
  DeletePod agent-2djhx StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+32s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+33s Steady complete
