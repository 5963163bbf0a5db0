# n2 stops matching the node selector while in overlap: its Pods end, and its marks go with the last one. n3 is removed
# for good.
nodes 3
pair 1
desired 2
until TargetProven
mark n2 kubernetes.io/os=windows
fault RemoveNode n3
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
! EditLabel n2 kubernetes.io/os=windows
! RemoveNode n3
+24s Completing
  UpdateSlot agent-green OwnershipMoved
  ClearNode n2 NodeLeft
    n1:green g2(ready) | n2
+25s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2
+26s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2
+27s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2
+28s Steady complete
  n1 Done OnSource: served by the active slot
