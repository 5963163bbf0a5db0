# Revision 3 comes when most nodes are on a healthy, proven 2: it is finished first.
nodes 3
pair 1
desired 2
steps 12
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
+48s Preparing
  UpdateSlot agent NewRevision
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+49s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+50s Advancing
  SetNodeSlot n1 BeginOverlap green → green-to-blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b3(waits) g2(ready) | n2:green-to-blue g2(ready) b3(waits) | n3:green g2(ready)
+51s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b3(waits) g2(ready) | n2:green-to-blue g2(ready) b3(waits) | n3:green g2(ready)
+52s Advancing
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
  SetNodeSlot n3 BeginOverlap green → green-to-blue
    n1:blue b3(ready) | n2:green-to-blue g2(ready) b3(waits) | n3:green-to-blue b3(waits) g2(ready)
+53s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:blue b3(ready) | n2:green-to-blue g2(ready) b3(waits) | n3:green-to-blue b3(waits) g2(ready)
+1m2s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue b3(ready) | n2:green-to-blue g2(ready) b3(waits) | n3:green-to-blue b3(waits) g2(ready)
+1m3s Advancing
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b3(ready) | n2:blue b3(ready) | n3:green-to-blue b3(waits) g2(ready)
+1m13s Advancing
  SetNodeSlot n3 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready)
+1m23s Completing
  UpdateSlot agent OwnershipMoved
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready)
+1m24s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready)
+1m25s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready)
+1m26s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b3(ready) | n2:blue b3(ready) | n3:blue b3(ready)
+1m27s Steady complete
