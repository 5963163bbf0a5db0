# The first two nodes by name are too small for the target: they give their places in the window back, and the others roll.
nodes 4
small n1 1
small n2 1
quiet
pair 1
desired 2
set template=big
aloud
run
wait 1h
run
explain
conditions
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3 b1(ready) | n4 b1(ready)
+13s Advancing
  SetNodeSlot n3 BeginOverlap - → blue-to-green
  SetNodeSlot n4 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+14s Advancing
  RecordCandidate n3 CandidatePrepared
  RecordCandidate n4 CandidatePrepared
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+15s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+25s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+26s Advancing
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready) | n4:green g2(ready)
+36s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready) | n4:green g2(ready)
+37s Completing
  UpdateSlot agent OwnershipMoved
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready) | n4:green g2(ready)
+38s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready) | n4:green g2(ready)
+39s Steady
  UpdateSlot agent SlotFollows
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready) | n4:green g2(ready)
+40s Steady complete
+1h0m40s Steady complete
  n1 Block NeverFits: the target never fits this node: cpu: wants 1200m, the whole node has 1000m
  n2 Block NeverFits: the target never fits this node: cpu: wants 1200m, the whole node has 1000m
  n3 Done OnSource: served by the active slot
  n4 Done OnSource: served by the active slot
  Available=True WithinBudget: 4 eligible = 4 available + 0 ambient + 0 committed
  Progressing=False Reconciled: 2 of 4 nodes are served by the desired revision, 2 are set aside
  Degraded=True CompleteExcept: 2 nodes are set aside: n1 (NeverFits: cpu: wants 1200m, the whole node has 1000m), n2 (NeverFits: cpu: wants 1200m, the whole node has 1000m). They are tried again when something changes on them
  Blocked=False AsExpected: 
