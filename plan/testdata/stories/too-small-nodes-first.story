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
+36s Advancing blocked: NeverFits: 2 nodes cannot move (n1, n2): cpu: wants 1200m, the whole node has 1000m
+1h0m36s Advancing blocked: NeverFits: 2 nodes cannot move (n1, n2): cpu: wants 1200m, the whole node has 1000m
  n1 Block NeverFits: the target never fits this node: cpu: wants 1200m, the whole node has 1000m
  n2 Block NeverFits: the target never fits this node: cpu: wants 1200m, the whole node has 1000m
  n3 Done OnTarget: served by the target
  n4 Done OnTarget: served by the target
  Available=True WithinBudget: 4 eligible = 4 available + 0 ambient + 0 committed
  Progressing=False NeverFits: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True NeverFits: 2 nodes cannot move (n1, n2): cpu: wants 1200m, the whole node has 1000m
