# Revision 2 never gets ready: it is cancelled within the deadline, remembered, and tried again when told.
nodes 3
pair 1
desired 2
image 2 NeverReady
run
explain
conditions
image 2 Good
set retry=2
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
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+15s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m14s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m15s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+10m16s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+10m17s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m18s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m19s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m27s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
  n1 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  n2 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  n3 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed on node n1
  Blocked=True RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
+10m27s Steady
  RecordState agent FailureForgotten
  RecordState agent-green FailureForgotten
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m28s Preparing
  UpdateSlot agent-green NewRevision
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m29s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m30s Advancing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
  SetNodeSlot n2 BeginOverlap blue → blue-to-green
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3:blue b1(ready)
+10m31s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3:blue b1(ready)
+10m32s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap blue → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m33s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m42s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m43s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m53s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m3s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m4s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m5s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m6s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+11m7s Steady complete
