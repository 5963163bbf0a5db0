# Three bad revisions in a row cost one node, and a good one then reaches all.
set type=RollingUpdate deadline=600
image 2 NeverReady
image 3 PullFails
nodes 3
steady 1
desired 2
steps 2
desired 3
steps 3
ledger
explain
desired 4
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b2(starts) | n2 b1(ready) | n3 b1(ready)
+12s Preparing
  UpdateSlot agent NewRevision
    n1 b2(starts) | n2 b1(ready) | n3 b1(ready)
+13s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (free)
    n1 b3(starts) | n2 b1(ready) | n3 b1(ready)
  3 eligible = 2 available + 0 ambient + 1 committed
  n1 Wait TargetStarting: the new Pod is starting: ImagePullBackOff
  n2 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1
  n3 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1
+10m13s Preparing
  UpdateSlot agent NewRevision
    n1 b3(starts) | n2 b1(ready) | n3 b1(ready)
+10m14s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-9xt6k StaleRevision (free)
    n1 b4(ready) | n2 b1(ready) | n3 b1(ready)
+10m24s Advancing
  RecordState agent TargetProven
    n1 b4(ready) | n2 b1(ready) | n3 b1(ready)
+10m25s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b4(ready) | n2 b4(ready) | n3 b1(ready)
+10m35s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (paid)
    n1 b4(ready) | n2 b4(ready) | n3 b4(ready)
+10m45s Completing
  RecordState agent RolloutComplete
    n1 b4(ready) | n2 b4(ready) | n3 b4(ready)
+10m46s Steady complete
