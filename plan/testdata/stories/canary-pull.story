# The image of revision 2 cannot be pulled. It waits behind the locks, costs nothing, and pauses the canary.
nodes 3
set canary=on
image 2 PullFails
pair 1
desired 2
run
explain
conditions
image 2 Good
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
    n1:blue-to-green g2(starts) b1(ready) | n2 b1(ready) | n3 b1(ready)
+13s Canary
  RecordState agent CanaryPaused
  RecordState agent-green CanaryPaused
    n1:blue-to-green g2(starts) b1(ready) | n2 b1(ready) | n3 b1(ready)
+10m12s Canary blocked: CanaryPaused: the canary is 0 of 1 available, paused since 09:00:13 (cannot start: ImagePullBackOff on node n1): set spec.decision to {revision: <2>, canary: Resume}, Promote or Fail, or desire another revision
  n1 Block TargetFailed: the target failed here: ImagePullBackOff
  n2 Wait CanaryPaused: held by the canary: 0 of 1 available, paused since 09:00:13 (cannot start: ImagePullBackOff on node n1)
  n3 Wait CanaryPaused: held by the canary: 0 of 1 available, paused since 09:00:13 (cannot start: ImagePullBackOff on node n1)
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False CanaryPaused: see the condition Blocked
  Degraded=True CanaryPaused: the canary is 0 of 1 available, paused since 09:00:13 (cannot start: ImagePullBackOff on node n1)
  Blocked=True CanaryPaused: the canary is 0 of 1 available, paused since 09:00:13 (cannot start: ImagePullBackOff on node n1): set spec.decision to {revision: <2>, canary: Resume}, Promote or Fail, or desire another revision
+10m12s Canary
  RecordState agent CanaryResumed
  RecordState agent-green CanaryResumed
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+10m13s Canary
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+10m23s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+20m23s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+20m24s Advancing
  SetNodeSlot n2 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+20m25s Advancing
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+20m26s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+20m36s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+20m46s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+20m47s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+20m48s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+20m49s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+20m50s Steady complete
