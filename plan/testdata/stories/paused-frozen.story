# Paused stops handoffs and overlaps; frozen stops everything; either is said.
nodes 2
pair 1
desired 2
until BeginOverlap
set paused=true
run
set paused=false frozen=true
run
set frozen=false
run
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+12s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+13s Advancing blocked: RolloutPaused: spec.strategy.paused stops handoffs and overlaps: set it to false to go on
+13s Advancing blocked: RolloutFrozen: spec.strategy.frozen stops everything: set it to false to go on
+13s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+24s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
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
