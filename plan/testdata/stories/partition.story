# Two nodes stay on the source by partition.
nodes 4
set partition=2
pair 1
desired 2
run
set partition=0
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
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+25s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready) | n4 b1(ready)
+35s Advancing blocked: PartitionReached: 2 nodes stay on the source by spec.strategy.partition: 2 may be off it. Lower the partition to go on
+35s Advancing
  SetNodeSlot n3 BeginOverlap - → blue-to-green
  SetNodeSlot n4 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+36s Advancing
  RecordCandidate n3 CandidatePrepared
  RecordCandidate n4 CandidatePrepared
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+37s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+47s Advancing
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+57s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+58s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+59s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+1m0s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+1m1s Steady complete
