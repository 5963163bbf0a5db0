# Opting out while green serves: every node comes back to blue by overlap and handoff before green is deleted.
nodes 3
quiet
pair 1
desired 2
run
aloud
draw
set intent=OptOut
run
----
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+49s Preparing
  UpdateSlot agent NewRevision
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+50s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+51s Advancing
  SetNodeSlot n1 BeginOverlap green → green-to-blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b2(waits) g2(ready) | n2:green-to-blue g2(ready) b2(waits) | n3:green g2(ready)
+52s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b2(waits) g2(ready) | n2:green-to-blue g2(ready) b2(waits) | n3:green g2(ready)
+53s Advancing
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
  SetNodeSlot n3 BeginOverlap green → green-to-blue
    n1:blue b2(ready) | n2:green-to-blue g2(ready) b2(waits) | n3:green-to-blue b2(waits) g2(ready)
+54s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:blue b2(ready) | n2:green-to-blue g2(ready) b2(waits) | n3:green-to-blue b2(waits) g2(ready)
+1m3s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue b2(ready) | n2:green-to-blue g2(ready) b2(waits) | n3:green-to-blue b2(waits) g2(ready)
+1m4s Advancing
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b2(ready) | n2:blue b2(ready) | n3:green-to-blue b2(waits) g2(ready)
+1m14s Advancing
  SetNodeSlot n3 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b2(ready) | n2:blue b2(ready) | n3:blue b2(ready)
+1m24s Completing
  UpdateSlot agent OwnershipMoved
    n1:blue b2(ready) | n2:blue b2(ready) | n3:blue b2(ready)
+1m25s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:blue b2(ready) | n2:blue b2(ready) | n3:blue b2(ready)
+1m26s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:blue b2(ready) | n2:blue b2(ready) | n3:blue b2(ready)
+1m27s OptingOut
  DeleteSlot agent-green HandedBack
    n1:blue b2(ready) | n2:blue b2(ready) | n3:blue b2(ready)
+1m28s OptingOut
  ClearNode n1 HandedBack
  ClearNode n2 HandedBack
  ClearNode n3 HandedBack
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m29s OptingOut
  UpdateSlot agent HandedBack
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m30s OptingOut
  RecordState agent HandedBack
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m31s Gone complete
