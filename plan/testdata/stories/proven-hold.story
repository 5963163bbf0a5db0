# Revision 2 is proven on n1, then fails on n2: the rollout holds and asks.
nodes 3
pair 1
desired 2
until TargetProven
image 2 NeverReady
run
conditions
set recover=Back
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
+24s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(starts) | n3:blue-to-green g2(waits) b1(ready)
+10m24s Held blocked: FailedAndHeld: the target failed on 1 node, first on n2, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes, or raise spec.failure.maxExceptions
  Available=True WithinBudget: 3 eligible = 2 available + 0 ambient + 1 committed
  Progressing=False FailedAndHeld: see the condition Blocked
  Degraded=True TargetFailed: the target failed on 1 node, first on n2
  Blocked=True FailedAndHeld: the target failed on 1 node, first on n2, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes, or raise spec.failure.maxExceptions
+10m24s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2:green g2(starts) | n3:blue-to-green g2(waits) b1(ready)
+10m25s Returning
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(starts) b1(waits) | n3:blue b1(ready)
+10m26s Returning
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(starts) b1(waits) | n3:blue b1(ready)
+10m27s Returning
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (free)
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m37s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m38s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m39s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m47s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n2 and is not tried again: desire another revision, or set spec.decision.retry to <2>
