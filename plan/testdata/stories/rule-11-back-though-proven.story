# Back to the source's own revision when most nodes are on a proven, healthy target: that is not finished first. n4
# would get the revision that was just withdrawn.
nodes 4
quiet
pair 1
desired 2
until TargetProven
steps 4
aloud
draw
desired 1
run
----
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+35s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+36s Returning
  SetNodeSlot n4 TakeBack blue-to-green → blue
  SetNodeSlot n3 BeginOverlap green → green-to-blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:green g2(ready) | n3:green-to-blue b1(waits) g2(ready) | n4:blue b1(ready)
+37s Returning
  RecordCandidate n3 CandidatePrepared
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:green g2(ready) | n3:green-to-blue b1(waits) g2(ready) | n4:blue b1(ready)
+38s Returning
  SetNodeSlot n3 HandoffPrepared green-to-blue → blue (free)
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:blue b1(ready) | n4:blue b1(ready)
+39s Returning
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:blue b1(ready) | n4:blue b1(ready)
+48s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:blue b1(ready) | n4:blue b1(ready)
+58s Returning
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready)
+59s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready)
+1m0s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready)
+1m8s Steady complete
