# Somebody labels every node green in the steady state: one way back, by overlap and handoff.
nodes 3
pair 1
label n1,n2,n3 green
run
----
! EditLabel n1 slot=green
! EditLabel n2 slot=green
! EditLabel n3 slot=green
+10s Repairing
  SetNodeSlot n1 BeginOverlap green → green-to-blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g1(ready) | n2:green-to-blue g1(ready) b1(waits) | n3:green g1(ready)
+11s Repairing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b1(waits) g1(ready) | n2:green-to-blue g1(ready) b1(waits) | n3:green g1(ready)
+12s Repairing
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
  SetNodeSlot n3 BeginOverlap green → green-to-blue
    n1:blue b1(ready) | n2:green-to-blue g1(ready) b1(waits) | n3:green-to-blue b1(waits) g1(ready)
+13s Repairing
  RecordCandidate n3 CandidatePrepared
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:green-to-blue b1(waits) g1(ready)
+14s Repairing
  SetNodeSlot n3 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+24s Steady complete
