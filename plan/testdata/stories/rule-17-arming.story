# Arming needs every existing Pod wrapped, not every node available: n3 is off and its Pod cannot be replaced, and the
# pair is armed all the same. Where no Pod is wrapped nothing overlaps.
nodes 3
set maxUnavailable=2
deployed 1
settle
wait 30s
fault LoseNode n3
run
draw
desired 2
fault MendNode n3
run
----
! LoseNode n3
+30s Arming
  UpdateSlot agent WrapperInstalled
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
+40s Arming
  UpdateSlot agent PairArmed
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
+41s Arming
  CreateSlot agent-green PairArmed
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
+42s Steady complete
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
! MendNode n3
+42s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+43s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+44s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready) g2(waits)
+45s Advancing
  RecordCandidate n3 CandidatePrepared
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready) g2(waits)
+46s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (free)
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:green g2(ready)
+56s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:green g2(ready)
+57s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m7s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m8s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m9s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m10s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m11s Steady complete
