# The target asks for more than any node has: every node is held, and none is lost.
nodes 2
pair 1
desired 2
set template=huge
run
explain
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(pending) b1(ready) | n2:blue-to-green g2(pending) b1(ready)
+13s Advancing blocked: NeverFits: 2 nodes cannot move (n1, n2): cpu: wants 64200m, the whole node has 2000m
  n1 Block NeverFits: the target never fits this node: cpu: wants 64200m, the whole node has 2000m
  n2 Block NeverFits: the target never fits this node: cpu: wants 64200m, the whole node has 2000m
