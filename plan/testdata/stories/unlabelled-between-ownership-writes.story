# Between the two writes of ownership the old revision is desired again and a person removes the node's label: the return is
# recorded before the node is moved.
nodes 1
quiet
pair 1
desired 2
until OwnershipMoved
aloud
desired 1
unlabel n1
run
----
! EditLabel n1 slot-
+25s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1 b1(waits) g2(ready)
+26s Returning
  SetNodeSlot n1 BeginOverlap - → green-to-blue
    n1:green-to-blue b1(waits) g2(ready)
+27s Returning
  UpdateSlot agent-green OwnershipMoved
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready)
+28s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready)
+29s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready)
+30s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready)
+38s Steady complete
