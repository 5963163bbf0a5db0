# Exempt is a node whose Pod was broken before the target was recorded. n2's source never got ready, and n2 cannot pull
# the target either: the others go on at maxUnavailable 1, since the rollout cannot have hurt n2.
nodes 3
set exempt=1
quiet
pair 1
image 1 NeverReady
fault BreakPulls n2
aloud
unready n2 blue
desired 2
until HandoffPrepared
explain
ledger
run
fault MendPulls n2
run
----
! BreakPulls n2
! StopReadiness n2 agent-s89wq agent
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(starts) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(starts) | n3 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+13s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+14s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(starts) | n3:blue-to-green g2(waits) b1(ready)
  n1 Action HandoffPrepared: handoff: the source exits and the prepared target gets the locks (paid)
  n2 Action BeginOverlap: enters overlap: the target prepares beside the source
  n3 Wait WaitingForBudget: waiting for budget: 1 committed + 1 ambient − 1 exempt ≥ 1, 1 of them by this plan
  3 eligible = 2 available + 1 ambient + 0 committed (1 exempt)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(starts) | n3:green g2(ready)
+10m14s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(starts) | n3:green g2(ready)
+10m15s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(starts) | n3:green g2(ready)
+10m16s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(starts) | n3:green g2(ready)
+10m17s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:blue-to-green g2(starts) b1(starts) | n3:green g2(ready)
+10m18s Steady rests
! MendPulls n2
+10m18s Repairing
  RecordCandidate n2 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(starts) | n3:green g2(ready)
+10m19s Repairing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (free)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m29s Steady complete
