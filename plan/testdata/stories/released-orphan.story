# Without locks: the source's DaemonSet is deleted with its Pods orphaned while a node is released. The orphan still runs
# there, so the target is not admitted before it is gone.
nodes 2
set overlap=Never
quiet
pair 1
desired 2
until TargetRecorded
wait 1s
aloud
stall on
steps 1
kill-set agent Orphan
steps 3
draw
stall off
run
----
+12s Advancing
  SetNodeSlot n1 ReleaseSource - → released-to-green (paid)
    n1:released-to-green b1(ready) | n2 b1(ready)
! KillSet agent Orphan
+13s Repairing rests
    n1:released-to-green b1(ready) | n2 b1(ready)
+13s Repairing
  CreateSlot agent SlotMissing
    n1:released-to-green | n2 b1(ready)
+14s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2 b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2 b1(ready)
+25s Advancing
  SetNodeSlot n2 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:released-to-green
+26s Advancing
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready)
+36s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+37s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+38s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+39s Steady complete
