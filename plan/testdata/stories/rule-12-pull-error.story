# The window has one place, and n2 cannot pull. n1 has shown that the image can be had, so n2's place is given back and
# n3 goes on: one sick node would otherwise stop the rollout. Past the deadline n2 is a failure, and is not forgotten.
nodes 3
set maxSurge=1 maxUnavailable=2
quiet
pair 1
desired 2
fault BreakPulls n2
aloud
run
explain
fault MendPulls n2
run
----
! BreakPulls n2
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+13s Advancing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+14s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(ready) | n3 b1(ready)
+15s Advancing
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+16s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+17s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:green g2(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:green g2(ready)
+10m14s Held blocked: FailedAndHeld: the target failed on 1 node, first on n2, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes, or raise spec.failure.maxExceptions
  n1 Done OnTarget: served by the target
  n2 Block TargetFailed: the target failed here: ImagePullBackOff
  n3 Done OnTarget: served by the target
! MendPulls n2
+10m14s Advancing
  RecordCandidate n2 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:green g2(ready)
+10m15s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m25s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m26s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m27s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m28s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m29s Steady complete
