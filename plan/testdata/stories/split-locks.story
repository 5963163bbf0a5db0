# The source's trace-agent crashes in overlap and loses its lock: the waiting target is deleted, the source recovers.
nodes 2
pair 1
desired 2
set paused=true
run
set paused=false
until BeginOverlap
crash n1 blue trace-agent
draw
settle
draw
run
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready)
+12s Advancing blocked: RolloutPaused: spec.strategy.paused stops handoffs and overlaps: set it to false to go on
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
! Crash n1 agent-lqlw7 trace-agent
    n1:blue-to-green g2(waits) b1(split) | n2:blue-to-green g2(waits) b1(ready)
    n1:blue-to-green g2(split) b1(split) | n2:blue-to-green g2(waits) b1(ready)
+12s Advancing
  DeletePod agent-green-k2kbd LocksSplit
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+13s Advancing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+14s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (free)
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready)
+35s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+36s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+37s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+38s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready)
+39s Steady complete
