# Overlap Never: n2 is dead and exempt. Its label follows last, as released: its old Pod may still run, and no lock would keep a new one waiting.
nodes 3
set overlap=Never
set exempt=1
pair 1
fault BreakNode n2
desired 2
run
fault MendNode n2
run
----
! BreakNode n2
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2! b1(starts) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2! b1(starts) | n3 b1(ready)
+12s Advancing
  SetNodeSlot n1 ReleaseSource - → released-to-green (paid)
    n1:released-to-green | n2! b1(starts) | n3 b1(ready)
+13s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2! b1(starts) | n3 b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2! b1(starts) | n3 b1(ready)
+24s Advancing
  SetNodeSlot n3 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2! b1(starts) | n3:released-to-green
+25s Advancing
  SetNodeSlot n3 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2! b1(starts) | n3:green g2(ready)
+35s Advancing
  SetNodeSlot n2 DeadNodeMoved - → released-to-green
    n1:green g2(ready) | n2!:released-to-green b1(starts-ends) | n3:green g2(ready)
+36s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2!:released-to-green b1(starts-ends) | n3:green g2(ready)
+37s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2!:released-to-green b1(starts-ends) | n3:green g2(ready)
+38s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2!:released-to-green b1(starts-ends) | n3:green g2(ready)
+39s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2!:released-to-green b1(starts-ends) | n3:green g2(ready)
+40s Steady complete
! MendNode n2
+45s Repairing
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+55s Steady complete
