# A node of the canary leaves and is replaced; one that joins gets the source.
nodes 4
set canary.replicas=2 maxUnavailable=2
pair 1
desired 2
until TargetProven
fault RemoveNode n1
steps 4
fault JoinNode n5 n2
draw
run
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+12s Canary
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+13s Canary
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+14s Canary
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready) | n4 b1(ready)
+24s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready) | n4 b1(ready)
! RemoveNode n1
+24s Canary
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4 b1(ready)
+25s Canary
  RecordCandidate n3 CandidatePrepared
    n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4 b1(ready)
+26s Canary
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n2:green g2(ready) | n3:green g2(ready) | n4 b1(ready)
! JoinNode n5 n2
    n2:green g2(ready) | n3:green g2(ready) | n4 b1(ready) | n5
+10m36s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n2:green g2(ready) | n3:green g2(ready) | n4 b1(ready) | n5 b1(ready)
+10m37s Advancing
  SetNodeSlot n4 BeginOverlap - → blue-to-green
  SetNodeSlot n5 BeginOverlap - → blue-to-green
    n2:green g2(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits) | n5:blue-to-green b1(ready) g2(waits)
+10m38s Advancing
  RecordCandidate n4 CandidatePrepared
  RecordCandidate n5 CandidatePrepared
    n2:green g2(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits) | n5:blue-to-green b1(ready) g2(waits)
+10m39s Advancing
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n5 HandoffPrepared blue-to-green → green (paid)
    n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+10m49s Completing
  UpdateSlot agent-green OwnershipMoved
    n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+10m50s Completing
  UpdateSlot agent OwnershipMoved
    n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+10m51s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+10m52s Steady
  UpdateSlot agent SlotFollows
    n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+10m53s Steady complete
