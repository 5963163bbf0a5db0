# In mode manual nothing but a decision promotes, however long it takes.
nodes 3
set canary.mode=manual
pair 1
desired 2
run
conditions
wait 24h
steps 1
set verdict=Promote
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
+25s Canary blocked: CanaryAwaitsDecision: the canary is 1 of 1 available, promoted by decision.canary alone: set spec.decision to {revision: <2>, canary: Promote} or Fail
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False CanaryAwaitsDecision: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True CanaryAwaitsDecision: the canary is 1 of 1 available, promoted by decision.canary alone: set spec.decision to {revision: <2>, canary: Promote} or Fail
+24h0m25s Canary blocked: CanaryAwaitsDecision: the canary is 1 of 1 available, promoted by decision.canary alone: set spec.decision to {revision: <2>, canary: Promote} or Fail
+24h0m25s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+24h0m26s Advancing
  SetNodeSlot n2 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+24h0m27s Advancing
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+24h0m28s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+24h0m38s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+24h0m48s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+24h0m49s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+24h0m50s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+24h0m51s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+24h0m52s Steady complete
