# A reboot in overlap restarts both Pods, and the kernel gives the locks to whoever asks first. Whatever comes of it,
# the node serves again and the rollout ends.
nodes 2
quiet
pair 1
desired 2
until CandidatePrepared
set paused=true
aloud
fault RebootNode n1
settle
draw
set paused=false
run
----
! RebootNode n1
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+13s Advancing
  DeletePod agent-green-k2kbd WaitingRestarted
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+14s Advancing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+15s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (free)
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+25s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+26s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready)
+36s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+37s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+38s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+39s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready)
+40s Steady complete
