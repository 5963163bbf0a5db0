# A person pauses, promotes though it is paused, and of the next revision fails the canary.
nodes 3
set canary=on
pair 1
desired 2
until TargetProven
set verdict=Pause
steps 2
set verdict=
steps 1
explain
set verdict=Promote
run
set verdict=
desired 3
until TargetProven
set verdict=Fail
run
conditions
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
+24s Canary
  RecordState agent CanaryPaused
  RecordState agent-green CanaryPaused
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+10m24s Canary blocked: CanaryPaused: the canary is 1 of 1 available, paused since 09:00:24 (by decision): set spec.decision to {revision: <2>, canary: Resume}, Promote or Fail, or desire another revision
  n1 Done OnTarget: served by the target
  n2 Wait CanaryPaused: held by the canary: 1 of 1 available, paused since 09:00:24 (by decision)
  n3 Wait CanaryPaused: held by the canary: 1 of 1 available, paused since 09:00:24 (by decision)
+10m24s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+10m25s Advancing
  SetNodeSlot n2 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m26s Advancing
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m27s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m37s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m47s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m48s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m49s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m50s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m51s Steady complete
+10m51s Preparing
  UpdateSlot agent NewRevision
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m52s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m53s Canary
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b3(waits) g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m54s Canary
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b3(waits) g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m55s Canary
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b3(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m5s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue b3(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m5s Canary
  RecordState agent CanaryFailed
  RecordState agent-green CanaryFailed
    n1:blue b3(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m6s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:blue b3(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m7s Returning
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
    n1:blue-to-green b3(ready) g2(waits) | n2:green g2(ready) | n3:green g2(ready)
+11m8s Returning
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green b3(ready) g2(waits) | n2:green g2(ready) | n3:green g2(ready)
+11m9s Returning
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m10s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m11s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m19s Steady blocked: RevisionRememberedAsFailed: revision <3> failed as a canary (by decision) and is not tried again: desire another revision, or set spec.decision.retry to <3>
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <3> failed as a canary (by decision)
  Blocked=True RevisionRememberedAsFailed: revision <3> failed as a canary (by decision) and is not tried again: desire another revision, or set spec.decision.retry to <3>
