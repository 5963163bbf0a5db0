# The window holds on the way home as on the way out: five nodes on a withdrawn revision, two in overlap at a time, one
# handed back at a time.
nodes 5
quiet
pair 1
desired 2
until OwnershipMoved
aloud
draw
desired 1
run
----
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m5s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m6s Returning
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m7s Returning
  SetNodeSlot n1 BeginOverlap green → green-to-blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m8s Returning
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:green g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m9s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
  SetNodeSlot n3 BeginOverlap green → green-to-blue
    n1:blue b1(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:green-to-blue b1(waits) g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m10s Returning
  RecordCandidate n3 CandidatePrepared
    n1:blue b1(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:green-to-blue b1(waits) g2(ready) | n4:green g2(ready) | n5:green g2(ready)
+1m19s Returning
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
  SetNodeSlot n4 BeginOverlap green → green-to-blue
    n1:blue b1(ready) | n2:blue b1(ready) | n3:green-to-blue b1(waits) g2(ready) | n4:green-to-blue g2(ready) b1(waits) | n5:green g2(ready)
+1m20s Returning
  RecordCandidate n4 CandidatePrepared
    n1:blue b1(ready) | n2:blue b1(ready) | n3:green-to-blue b1(waits) g2(ready) | n4:green-to-blue g2(ready) b1(waits) | n5:green g2(ready)
+1m29s Returning
  SetNodeSlot n3 HandoffPrepared green-to-blue → blue (paid)
  SetNodeSlot n5 BeginOverlap green → green-to-blue
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green-to-blue g2(ready) b1(waits) | n5:green-to-blue g2(ready) b1(waits)
+1m30s Returning
  RecordCandidate n5 CandidatePrepared
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green-to-blue g2(ready) b1(waits) | n5:green-to-blue g2(ready) b1(waits)
+1m39s Returning
  SetNodeSlot n4 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5:green-to-blue g2(ready) b1(waits)
+1m49s Returning
  SetNodeSlot n5 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+1m50s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+1m51s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+1m59s Steady complete
