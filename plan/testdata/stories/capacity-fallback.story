# n2 has no room for two Agents: its source goes first, in its turn and within the budget.
nodes 3
full n2 1500m
pair 1
desired 2
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
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3 b1(ready)
+13s Advancing
  RecordCandidate n1 CandidatePrepared
  SetNodeSlot n2 CapacityFallback blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+14s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+24s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+34s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+44s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+45s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+46s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+47s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+48s Steady complete
