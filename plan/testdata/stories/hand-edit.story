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
+20s Repairing
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
  SetNodeSlot n3 BeginOverlap green → green-to-blue
    n1:blue b1(ready) | n2:green-to-blue g1(ready) b1(waits) | n3:green-to-blue b1(waits) g1(ready)
+21s Repairing
  RecordCandidate n3 CandidatePrepared
    n1:blue b1(ready) | n2:green-to-blue g1(ready) b1(waits) | n3:green-to-blue b1(waits) g1(ready)
+30s Repairing
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:green-to-blue b1(waits) g1(ready)
+40s Repairing
  SetNodeSlot n3 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+50s Steady complete
