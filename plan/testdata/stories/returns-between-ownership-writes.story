# A node whose Agent kept running under a taint becomes eligible again between the two writes of ownership: it is handed
# over like any other, not by the narrowing of its slot.
nodes 3
quiet
pair 1
fault TaintNode n1 reserved:NoSchedule
desired 2
until OwnershipMoved
aloud
fault UntaintNode n1 reserved
run
----
! TaintNode n1 reserved:NoSchedule
! UntaintNode n1 reserved
+35s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+36s Advancing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+37s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+47s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+48s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+49s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+50s Steady complete
