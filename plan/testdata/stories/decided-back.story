# A person takes a healthy revision back half way: it is returned, remembered, and not rolled out again by itself.
nodes 3
pair 1
desired 2
until TargetProven
set recover=Back
run
set recover=
set retry=2
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
+13s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
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
+24s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+25s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+26s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+27s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+28s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+29s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+37s Steady blocked: RevisionRememberedAsFailed: revision <2> was taken back by decision and is not tried again: desire another revision, or set spec.decision.retry to <2>
+37s Steady
  RecordState agent FailureForgotten
  RecordState agent-green FailureForgotten
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+38s Preparing
  UpdateSlot agent-green NewRevision
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+39s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+40s Advancing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
  SetNodeSlot n2 BeginOverlap blue → blue-to-green
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3:blue b1(ready)
+41s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3:blue b1(ready)
+42s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap blue → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+43s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+52s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+53s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+1m3s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m13s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m14s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m15s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m16s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m17s Steady complete
