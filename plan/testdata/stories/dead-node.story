# n2 is dead and exempt: the others roll, its label follows last, and completion does not wait.
nodes 3
set exempt=1
pair 1
fault BreakNode n2
desired 2
run
fault MendNode n2
run
draw
----
! BreakNode n2
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2! b1(starts) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2! b1(starts) | n3 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2! b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+13s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2! b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+14s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2! b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2! b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2! b1(starts) | n3:green g2(ready)
+35s Advancing
  SetNodeSlot n2 DeadNodeMoved - → green
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+36s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+37s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+38s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+39s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2!:green b1(starts-ends) | n3:green g2(ready)
+40s Steady complete
! MendNode n2
+50s Steady complete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
