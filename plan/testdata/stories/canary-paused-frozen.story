# A paused rollout begins no canary and promotes none; a frozen one does nothing at all.
nodes 3
set canary.duration=1m
pair 1
desired 2
until TargetProven
set paused=true
wait 10m
steps 2
conditions
set paused=false frozen=true
steps 2
conditions
set frozen=false
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
+10m24s Canary
  RecordState agent CanarySuspended
  RecordState agent-green CanarySuspended
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+10m25s Canary blocked: RolloutPaused: spec.strategy.paused stops handoffs and overlaps: set it to false to go on
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False RolloutPaused: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True RolloutPaused: spec.strategy.paused stops handoffs and overlaps: set it to false to go on
+10m25s Canary blocked: RolloutFrozen: spec.strategy.frozen stops everything: set it to false to go on
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False RolloutFrozen: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True RolloutFrozen: spec.strategy.frozen stops everything: set it to false to go on
+10m25s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+10m26s Advancing
  SetNodeSlot n2 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m27s Advancing
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m28s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m38s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m48s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m49s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m50s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m51s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m52s Steady complete
