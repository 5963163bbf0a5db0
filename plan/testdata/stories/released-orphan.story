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
+10m13s Repairing blocked: DeletionHangs: DaemonSet agent has been ending for 10m0s: Pod agent-lqlw7 on node n1 is left; repair its kubelet, remove its finalizers, or delete it with --force once its node is off
    n1:released-to-green b1(ready) | n2 b1(ready)
+10m13s Repairing
  CreateSlot agent SlotMissing
    n1:released-to-green | n2 b1(ready)
+10m14s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2 b1(ready)
+10m24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2 b1(ready)
+10m25s Advancing
  SetNodeSlot n2 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:released-to-green
+10m26s Advancing
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready)
+10m36s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+10m37s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+10m38s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+10m39s Steady complete
