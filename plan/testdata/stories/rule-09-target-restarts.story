# The waiting target restarts while the source serves. A Pod that restarts may lose its place in the queue for the locks
# and come up torn between them: it is deleted and tried again, and no handoff goes to it.
nodes 2
quiet
pair 1
desired 2
set paused=true
run
set paused=false
until CandidatePrepared
set paused=true
aloud
crash n1 green agent
settle
draw
set paused=false
run
----
! Crash n1 agent-green-k2kbd agent
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+13s Advancing
  DeletePod agent-green-k2kbd WaitingRestarted
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready)
+14s Advancing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready)
+24s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready)
+34s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+35s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+36s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+37s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready)
+38s Steady complete
