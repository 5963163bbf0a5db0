# A failed revision is not tried again by itself. Another desired one clears the memory, so that the first may be
# desired anew; a retry that still stands in the document clears it only once.
nodes 2
image 2 NeverReady
quiet
pair 1
desired 2
run
set retry=2
run
aloud
conditions
run
desired 3
quiet
run
image 2 Good
desired 2
aloud
run
----
  Available=True WithinBudget: 2 eligible = 2 available + 0 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed on node n1
  Blocked=True RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or remove spec.decision.retry, which was used already, and set it again to <2>
+20m45s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or remove spec.decision.retry, which was used already, and set it again to <2>
+21m15s Preparing
  UpdateSlot agent NewRevision
    n1:green g3(ready) | n2:green g3(ready)
+21m16s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:green g3(ready) | n2:green g3(ready)
+21m17s Advancing
  SetNodeSlot n1 BeginOverlap green → green-to-blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue g3(ready) b2(waits) | n2:green-to-blue g3(ready) b2(waits)
+21m18s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue g3(ready) b2(waits) | n2:green-to-blue g3(ready) b2(waits)
+21m19s Advancing
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b2(ready) | n2:green-to-blue g3(ready) b2(waits)
+21m29s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue b2(ready) | n2:green-to-blue g3(ready) b2(waits)
+21m30s Advancing
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b2(ready) | n2:blue b2(ready)
+21m40s Completing
  UpdateSlot agent OwnershipMoved
    n1:blue b2(ready) | n2:blue b2(ready)
+21m41s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:blue b2(ready) | n2:blue b2(ready)
+21m42s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:blue b2(ready) | n2:blue b2(ready)
+21m43s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b2(ready) | n2:blue b2(ready)
+21m44s Steady complete
