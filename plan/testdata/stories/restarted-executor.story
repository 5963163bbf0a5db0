# The executor restarts half way: it fences every overlapping node before its first handoff.
nodes 3
restart first
pair 1
desired 2
until BeginOverlap
steps 1
restart second
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
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+12s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+13s Advancing
  RecordCandidate n1 NodeFenced
  RecordCandidate n2 NodeFenced
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+14s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+15s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+35s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+45s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+46s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+47s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+48s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+49s Steady complete
