# Two more revisions while the first one is on its way: only the newest gets nodes, and the one between never does.
nodes 3
image 2 NeverReady
quiet
pair 1
desired 2
until HandoffPrepared
aloud
desired 3
steps 2
desired 4
run
----
+14s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
  RecordCandidate n3 CandidatePrepared
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+15s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+16s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+17s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+18s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+19s Preparing
  UpdateSlot agent-green NewRevision
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+20s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+21s Advancing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
  SetNodeSlot n2 BeginOverlap blue → blue-to-green
    n1:blue-to-green b1(ready) g4(waits) | n2:blue-to-green g4(waits) b1(ready) | n3:blue b1(ready)
+22s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green b1(ready) g4(waits) | n2:blue-to-green g4(waits) b1(ready) | n3:blue b1(ready)
+23s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (free)
  SetNodeSlot n3 BeginOverlap blue → blue-to-green
    n1:green g4(ready) | n2:blue-to-green g4(waits) b1(ready) | n3:blue-to-green g4(waits) b1(ready)
+24s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g4(ready) | n2:blue-to-green g4(waits) b1(ready) | n3:blue-to-green g4(waits) b1(ready)
+33s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g4(ready) | n2:blue-to-green g4(waits) b1(ready) | n3:blue-to-green g4(waits) b1(ready)
+34s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g4(ready) | n2:green g4(ready) | n3:blue-to-green g4(waits) b1(ready)
+44s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g4(ready) | n2:green g4(ready) | n3:green g4(ready)
+54s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g4(ready) | n2:green g4(ready) | n3:green g4(ready)
+55s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g4(ready) | n2:green g4(ready) | n3:green g4(ready)
+56s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g4(ready) | n2:green g4(ready) | n3:green g4(ready)
+57s Steady
  UpdateSlot agent SlotFollows
    n1:green g4(ready) | n2:green g4(ready) | n3:green g4(ready)
+58s Steady complete
