# The new revision does not fit n2 even without the old one: n2 says so, gives its place in the window of one back,
# keeps its source, and n3 goes on.
nodes 3
small n2 1
set maxSurge=1
quiet
pair 1
desired 2
set template=big
aloud
run
explain
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
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+13s Advancing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+14s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(pending) b1(ready) | n3 b1(ready)
+15s Advancing
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+16s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready)
+35s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready)
+36s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready)
+37s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready)
+38s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:blue-to-green g2(pending) b1(ready) | n3:green g2(ready)
+39s Steady complete
  n1 Done OnSource: served by the active slot
  n2 Block NeverFits: the target never fits this node: cpu: wants 1200m, the whole node has 1000m
  n3 Done OnSource: served by the active slot
