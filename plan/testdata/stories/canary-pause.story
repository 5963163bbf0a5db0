# Three restarts pause the canary. The pause stays when the restarts do not go on; resumed, it pauses by itself no more:
# its time is over long since, and it is promoted in the next plan, not in the same.
nodes 3
set canary=on
pair 1
desired 2
until TargetProven
crash n1 green agent
settle
wait 30s
crash n1 green agent
settle
wait 30s
crash n1 green agent
settle
run
explain
conditions
wait 20m
steps 2
set verdict=Resume
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
! Crash n1 agent-green-k2kbd agent
! Crash n1 agent-green-k2kbd agent
! Crash n1 agent-green-k2kbd agent
+1m24s Canary
  RecordState agent CanaryPaused
  RecordState agent-green CanaryPaused
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+11m34s Canary blocked: CanaryPaused: the canary is 1 of 1 available, paused since 09:01:24 (3 restarts > autoPause.maxRestarts 2 on node n1): set spec.decision to {revision: <2>, canary: Resume}, Promote or Fail, or desire another revision
  n1 Done OnTarget: served by the target
  n2 Wait CanaryPaused: held by the canary: 1 of 1 available, paused since 09:01:24 (3 restarts > autoPause.maxRestarts 2 on node n1)
  n3 Wait CanaryPaused: held by the canary: 1 of 1 available, paused since 09:01:24 (3 restarts > autoPause.maxRestarts 2 on node n1)
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False CanaryPaused: see the condition Blocked
  Degraded=True CanaryPaused: the canary is 1 of 1 available, paused since 09:01:24 (3 restarts > autoPause.maxRestarts 2 on node n1)
  Blocked=True CanaryPaused: the canary is 1 of 1 available, paused since 09:01:24 (3 restarts > autoPause.maxRestarts 2 on node n1): set spec.decision to {revision: <2>, canary: Resume}, Promote or Fail, or desire another revision
+31m34s Canary blocked: CanaryPaused: the canary is 1 of 1 available, paused since 09:01:24 (3 restarts > autoPause.maxRestarts 2 on node n1): set spec.decision to {revision: <2>, canary: Resume}, Promote or Fail, or desire another revision
+31m34s Canary
  RecordState agent CanaryResumed
  RecordState agent-green CanaryResumed
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+31m35s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+31m36s Advancing
  SetNodeSlot n2 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+31m37s Advancing
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+31m38s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+31m48s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+31m58s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+31m59s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+32m0s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+32m1s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+32m2s Steady complete
