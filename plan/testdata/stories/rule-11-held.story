# A proven target fails and the rollout holds for a decision. A newer revision is a decision too: the nodes go home, and
# the new revision follows. Waiting for an answer to a question that nobody asks any more would hold it for ever.
nodes 3
quiet
pair 1
desired 2
until TargetProven
image 2 NeverReady
run
aloud
conditions
desired 3
run
----
  Available=True WithinBudget: 3 eligible = 2 available + 0 ambient + 1 committed
  Progressing=False FailedAndHeld: see the condition Blocked
  Degraded=True TargetFailed: the target failed on 1 node, first on n2
  Blocked=True FailedAndHeld: the target failed on 1 node, first on n2, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes
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
+10m39s Preparing
  UpdateSlot agent-green NewRevision
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m40s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m41s Advancing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
  SetNodeSlot n2 BeginOverlap blue → blue-to-green
    n1:blue-to-green b1(ready) g3(waits) | n2:blue-to-green g3(waits) b1(ready) | n3:blue b1(ready)
+10m42s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green b1(ready) g3(waits) | n2:blue-to-green g3(waits) b1(ready) | n3:blue b1(ready)
+10m43s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (free)
  SetNodeSlot n3 BeginOverlap blue → blue-to-green
    n1:green g3(ready) | n2:blue-to-green g3(waits) b1(ready) | n3:blue-to-green g3(waits) b1(ready)
+10m44s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g3(ready) | n2:blue-to-green g3(waits) b1(ready) | n3:blue-to-green g3(waits) b1(ready)
+10m53s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g3(ready) | n2:blue-to-green g3(waits) b1(ready) | n3:blue-to-green g3(waits) b1(ready)
+10m54s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g3(ready) | n2:green g3(ready) | n3:blue-to-green g3(waits) b1(ready)
+11m4s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m14s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m15s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m16s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m17s Steady
  UpdateSlot agent SlotFollows
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+11m18s Steady complete
