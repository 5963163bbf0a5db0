# The surge has two places; n2 keeps one of them for a Pod that never fits, and keeps its agent.
set type=Surge overlap=Locked maxUnavailable=2
nodes 3
small n2 500m
steady 1
desired 2
set template=big
run
explain
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b2(pending) b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(pending) b1(ready) | n3 b2(waits) b1(ready)
+12s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(pending) b1(ready) | n3 b2(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(pending) b1(ready) | n3 b2(ready)
+22s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(pending) b1(ready) | n3 b2(ready)
+23s Steady complete
  n1 Done OnSource: served by the DaemonSet
  n2 Block NeverFits: the new Pod never fits this node: cpu: wants 1200m, the whole node has 500m
  n3 Done OnSource: served by the DaemonSet
