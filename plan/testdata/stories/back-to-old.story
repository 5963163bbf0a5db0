# The desired revision returns to the source's own: the way back, never forward.
nodes 4
pair 1
desired 2
until TargetProven
desired 1
run
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+13s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+14s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4 b1(ready)
+15s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4 b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4 b1(ready)
+24s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4 b1(ready)
+25s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4 b1(ready)
+26s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4 b1(ready)
+27s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4 b1(ready)
+28s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4 b1(ready)
+29s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4 b1(ready)
+37s Steady complete
