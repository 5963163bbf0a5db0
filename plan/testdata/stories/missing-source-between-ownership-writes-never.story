# Overlap Never: the source is deleted when the ownership of unlabelled nodes has moved already. It is made anew without them: n3 must not get two Pods.
nodes 3
set overlap=Never
set maxUnavailable=2
pair 1
fault TaintNode n3 reserved:NoSchedule
desired 2
until OwnershipMoved
steps 1
unlabel n3
fault UntaintNode n3 reserved
kill-set agent Background
run
----
! TaintNode n3 reserved:NoSchedule
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+12s Advancing
  SetNodeSlot n3 LabelRepaired - → blue
  SetNodeSlot n1 ReleaseSource - → released-to-green (paid)
  SetNodeSlot n2 ReleaseSource - → released-to-green (paid)
    n1:released-to-green | n2:released-to-green | n3:blue b1(ready)
+13s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready) | n3:blue b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:green g2(ready) | n3:blue b1(ready)
+24s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:blue b1(ready)
+24s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:blue b1(ready)
! EditLabel n3 slot-
! UntaintNode n3 reserved
! KillSet agent Background
+25s Repairing
  CreateSlot agent SlotMissing
    n1:green g2(ready) | n2:green g2(ready) | n3 g2(ready)
+35s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3 g2(ready)
+36s Steady complete
