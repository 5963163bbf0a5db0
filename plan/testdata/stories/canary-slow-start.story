# The slow start's ramp begins with the promotion.
nodes 6
set maxUnavailable=4 canary.duration=5m canary.replicas=1
set slowStart=1m:1
pair 1
desired 2
run
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready) | n6 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready) | n6 b1(ready)
+12s Canary
  SetNodeSlot n1 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready) | n6 b1(ready)
+13s Canary
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready) | n6 b1(ready)
+14s Canary
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready) | n6 b1(ready)
+24s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready) | n6 b1(ready)
+5m24s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready) | n6 b1(ready)
+5m25s Advancing
  SetNodeSlot n2 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
  SetNodeSlot n4 BeginOverlap - → blue-to-green
  SetNodeSlot n5 BeginOverlap - → blue-to-green
  SetNodeSlot n6 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits) | n5:blue-to-green b1(ready) g2(waits) | n6:blue-to-green g2(waits) b1(ready)
+5m26s Advancing
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
  RecordCandidate n4 CandidatePrepared
  RecordCandidate n5 CandidatePrepared
  RecordCandidate n6 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits) | n5:blue-to-green b1(ready) g2(waits) | n6:blue-to-green g2(waits) b1(ready)
+5m27s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits) | n5:blue-to-green b1(ready) g2(waits) | n6:blue-to-green g2(waits) b1(ready)
+5m37s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits) | n5:blue-to-green b1(ready) g2(waits) | n6:blue-to-green g2(waits) b1(ready)
+5m47s Advancing
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:blue-to-green b1(ready) g2(waits) | n6:blue-to-green g2(waits) b1(ready)
+5m57s Advancing
  SetNodeSlot n5 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:blue-to-green g2(waits) b1(ready)
+6m7s Advancing
  SetNodeSlot n6 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+6m17s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+6m18s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+6m19s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+6m20s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready) | n6:green g2(ready)
+6m21s Steady complete
