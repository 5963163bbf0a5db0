# A newer revision in the middle of a canary: the nodes go home, and its own canary begins anew.
nodes 3
set canary=on
pair 1
desired 2
until TargetProven
desired 3
run
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+12s Canary
  SetNodeSlot n1 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+13s Canary
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+14s Canary
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+24s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+24s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+25s Returning
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2 b1(ready) | n3 b1(ready)
+26s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2 b1(ready) | n3 b1(ready)
+27s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2 b1(ready) | n3 b1(ready)
+28s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2 b1(ready) | n3 b1(ready)
+29s Preparing
  UpdateSlot agent-green NewRevision
    n1:blue b1(ready) | n2 b1(ready) | n3 b1(ready)
+30s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:blue b1(ready) | n2 b1(ready) | n3 b1(ready)
+31s Canary
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue b1(ready) | n2:blue-to-green g3(waits) b1(ready) | n3 b1(ready)
+32s Canary
  RecordCandidate n2 CandidatePrepared
    n1:blue b1(ready) | n2:blue-to-green g3(waits) b1(ready) | n3 b1(ready)
+37s Canary
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:blue b1(ready) | n2:green g3(ready) | n3 b1(ready)
+47s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue b1(ready) | n2:green g3(ready) | n3 b1(ready)
+10m47s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:blue b1(ready) | n2:green g3(ready) | n3 b1(ready)
+10m48s Advancing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:blue-to-green b1(ready) g3(waits) | n2:green g3(ready) | n3:blue-to-green g3(waits) b1(ready)
+10m49s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:blue-to-green b1(ready) g3(waits) | n2:green g3(ready) | n3:blue-to-green g3(waits) b1(ready)
+10m50s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g3(ready) | n2:green g3(ready) | n3:blue-to-green g3(waits) b1(ready)
+11m0s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m10s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m11s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m12s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m13s Steady
  UpdateSlot agent SlotFollows
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m14s Steady complete
