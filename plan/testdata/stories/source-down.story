# The source is down on n2 before the rollout: it goes first, and takes a seat.
nodes 3
pair 1
image 1 Good
fault LoseNode n2
desired 2
steps 3
fault MendNode n2
run
----
! LoseNode n2
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
! MendNode n2
+13s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+23s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+24s Advancing
  RecordCandidate n2 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+33s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+34s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+44s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+54s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+55s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+56s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+57s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+58s Steady complete
