# kubectl label nodes --all to the source's value in the middle of a rollout: the waiting targets are gone, no agent is,
# and the way on is by overlap and handoff as before.
nodes 4
quiet
pair 1
desired 2
until CandidatePrepared
aloud
label n1,n2,n3,n4 blue
run
----
! EditLabel n1 slot=blue
! EditLabel n2 slot=blue
! EditLabel n3 slot=blue
! EditLabel n4 slot=blue
+13s Advancing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
  SetNodeSlot n2 BeginOverlap blue → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue b1(ready) | n4:blue b1(ready)
+14s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue b1(ready) | n4:blue b1(ready)
+15s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap blue → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue b1(ready)
+16s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue b1(ready)
+25s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue b1(ready)
+26s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n4 BeginOverlap blue → blue-to-green
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+27s Advancing
  RecordCandidate n4 CandidatePrepared
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+36s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+46s Advancing
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+56s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+57s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+58s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+59s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+1m0s Steady complete
