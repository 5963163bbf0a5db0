# With NoExecute the Pods go, and then label and annotations go too. When the taint is lifted the node is a new one.
nodes 3
quiet
pair 1
desired 2
until CandidatePrepared
aloud
fault TaintNode n1 dedicated=gpu:NoExecute
run
draw
fault UntaintNode n1 dedicated
run
draw
----
! TaintNode n1 dedicated=gpu:NoExecute
+13s Advancing
  ClearNode n1 NodeLeft
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1 | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+14s Advancing
  RecordCandidate n3 CandidatePrepared
    n1 | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1 | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+24s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1 | n2:green g2(ready) | n3:green g2(ready)
+34s Completing
  UpdateSlot agent-green OwnershipMoved
    n1 | n2:green g2(ready) | n3:green g2(ready)
+35s Completing
  UpdateSlot agent OwnershipMoved
    n1 | n2:green g2(ready) | n3:green g2(ready)
+36s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1 | n2:green g2(ready) | n3:green g2(ready)
+37s Steady
  UpdateSlot agent SlotFollows
    n1 | n2:green g2(ready) | n3:green g2(ready)
+38s Steady complete
    n1 | n2:green g2(ready) | n3:green g2(ready)
! UntaintNode n1 dedicated
+48s Steady complete
    n1 g2(ready) | n2:green g2(ready) | n3:green g2(ready)
