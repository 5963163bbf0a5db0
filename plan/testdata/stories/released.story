# Overlap Never: the source is released, and the target is admitted once it is gone.
nodes 3
set overlap=Never
pair 1
desired 2
run
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+12s Advancing
  SetNodeSlot n1 ReleaseSource - → released-to-green (paid)
    n1:released-to-green | n2 b1(ready) | n3 b1(ready)
+13s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+24s Advancing
  SetNodeSlot n2 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:released-to-green | n3 b1(ready)
+25s Advancing
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready)
+35s Advancing
  SetNodeSlot n3 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:released-to-green
+36s Advancing
  SetNodeSlot n3 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+46s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+47s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+48s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+49s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+50s Steady complete
