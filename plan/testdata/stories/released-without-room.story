# A pair without overlap whose next Pod asks for more: n2 is too small for it, and n3 is full of others. Both keep their agent, and the next
# revision, which fits, waits for neither.
set overlap=Never
nodes 5
small n2 500m
full n3 1500m
steady 1
desired 2
set template=big
run
explain
desired 3
run
explain
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
+12s Advancing
  SetNodeSlot n2 LabelRepaired - → blue
  SetNodeSlot n3 LabelRepaired - → blue
  SetNodeSlot n1 ReleaseSource - → released-to-green (paid)
    n1:released-to-green | n2:blue b1(ready) | n3:blue b1(ready) | n4 b1(ready) | n5 b1(ready)
+13s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4 b1(ready) | n5 b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4 b1(ready) | n5 b1(ready)
+24s Advancing
  SetNodeSlot n4 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:released-to-green | n5 b1(ready)
+25s Advancing
  SetNodeSlot n4 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5 b1(ready)
+35s Advancing
  SetNodeSlot n5 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:released-to-green
+36s Advancing
  SetNodeSlot n5 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+46s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+47s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+48s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+49s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+50s Steady complete
  n1 Done OnSource: served by the active slot
  n2 Block NeverFits: the target never fits this node: cpu: wants 1200m, the whole node has 500m
  n3 Block StillShort: the target does not fit even once the source is gone: cpu: wants 1200m, free 500m, allocatable 2000m
  n4 Done OnSource: served by the active slot
  n5 Done OnSource: served by the active slot
+50s Preparing
  UpdateSlot agent NewRevision
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+51s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:green g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+52s Advancing
  SetNodeSlot n1 ReleaseSource green → released-to-blue (paid)
    n1:released-to-blue | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+53s Advancing
  SetNodeSlot n1 AdmitTarget released-to-blue → blue
    n1:blue b3(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m3s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue b3(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m4s Advancing
  DeletePod agent-s89wq StaleRevision (paid)
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b1(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m14s Advancing
  DeletePod agent-k2m5t StaleRevision (paid)
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m24s Advancing
  SetNodeSlot n4 ReleaseSource green → released-to-blue (paid)
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready) | n4:released-to-blue | n5:green g2(ready)
+1m25s Advancing
  SetNodeSlot n4 AdmitTarget released-to-blue → blue
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready) | n4:blue b3(ready) | n5:green g2(ready)
+1m35s Advancing
  SetNodeSlot n5 ReleaseSource green → released-to-blue (paid)
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready) | n4:blue b3(ready) | n5:released-to-blue
+1m36s Advancing
  SetNodeSlot n5 AdmitTarget released-to-blue → blue
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready) | n4:blue b3(ready) | n5:blue b3(ready)
+1m46s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready) | n4:blue b3(ready) | n5:blue b3(ready)
+1m47s Completing
  UpdateSlot agent OwnershipMoved
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready) | n4:blue b3(ready) | n5:blue b3(ready)
+1m48s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready) | n4:blue b3(ready) | n5:blue b3(ready)
+1m49s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready) | n4:blue b3(ready) | n5:blue b3(ready)
+1m50s Steady complete
  n1 Done OnSource: served by the active slot
  n2 Done OnSource: served by the active slot
  n3 Done OnSource: served by the active slot
  n4 Done OnSource: served by the active slot
  n5 Done OnSource: served by the active slot
