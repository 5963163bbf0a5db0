# Revision 2 restarts again and again: it pauses, then it fails, though it was proven before and somebody has resumed it.
nodes 3
set canary.replicas=2 canary.duration=1h canary.pauseRestarts=0 canary.failRestarts=1 maxUnavailable=2
pair 1
desired 2
until TargetProven
crash n1 green agent
settle
steps 1
set verdict=Resume
steps 1
crash n1 green agent
settle
run
explain
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
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+13s Canary
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+14s Canary
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready)
+24s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready)
! Crash n1 agent-green-k2kbd agent
+24s Canary
  RecordState agent CanaryPaused
  RecordState agent-green CanaryPaused
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready)
+25s Canary
  RecordState agent CanaryResumed
  RecordState agent-green CanaryResumed
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready)
! Crash n1 agent-green-k2kbd agent
+26s Canary
  RecordState agent CanaryFailed
  RecordState agent-green CanaryFailed
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready)
+27s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready)
+28s Returning
  SetNodeSlot n1 BeginOverlap green → green-to-blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(ready) b1(waits) | n3 b1(ready)
+29s Returning
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(ready) b1(waits) | n3 b1(ready)
+30s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3 b1(ready)
+31s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3 b1(ready)
+32s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3 b1(ready)
+40s Steady blocked: RevisionRememberedAsFailed: revision <2> failed as a canary on node n1 (2 restarts > autoFail.maxRestarts 1) and is not tried again: desire another revision, or set spec.decision.retry to <2>
  n1 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  n2 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  n3 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed as a canary on node n1 (2 restarts > autoFail.maxRestarts 1)
  Blocked=True RevisionRememberedAsFailed: revision <2> failed as a canary on node n1 (2 restarts > autoFail.maxRestarts 1) and is not tried again: desire another revision, or set spec.decision.retry to <2>
