# Three updates in a row, each with an agent that never gets ready. Each of them once took the broken node for nothing
# and one more healthy one, until none was left. Here one node is out at a time, however often another one is desired.
nodes 3
image 2 NeverReady
image 3 NeverReady
image 4 NeverReady
quiet
pair 1
desired 2
until HandoffPrepared
steps 1
draw
ledger
desired 3
until HandoffPrepared
until HandoffPrepared
steps 1
draw
ledger
desired 4
until HandoffPrepared
until HandoffPrepared
steps 1
draw
ledger
aloud
desired 5
run
----
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
  3 eligible = 2 available + 0 ambient + 1 committed
    n1:green g3(starts) | n2:blue-to-green g3(waits) b1(ready) | n3:blue-to-green g3(waits) b1(ready)
  3 eligible = 2 available + 0 ambient + 1 committed
    n1:green g4(starts) | n2:blue-to-green g4(waits) b1(ready) | n3:blue-to-green g4(waits) b1(ready)
  3 eligible = 2 available + 0 ambient + 1 committed
+33s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g4(starts) | n2:blue-to-green g4(waits) b1(ready) | n3:blue-to-green g4(waits) b1(ready)
+34s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue g4(starts) b1(waits) | n2:blue b1(ready) | n3:blue b1(ready)
+35s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue g4(starts) b1(waits) | n2:blue b1(ready) | n3:blue b1(ready)
+36s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+37s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+38s Preparing
  UpdateSlot agent-green NewRevision
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+39s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+40s Advancing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
  SetNodeSlot n2 BeginOverlap blue → blue-to-green
    n1:blue-to-green g5(waits) b1(ready) | n2:blue-to-green g5(waits) b1(ready) | n3:blue b1(ready)
+41s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g5(waits) b1(ready) | n2:blue-to-green g5(waits) b1(ready) | n3:blue b1(ready)
+42s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (free)
  SetNodeSlot n3 BeginOverlap blue → blue-to-green
    n1:green g5(ready) | n2:blue-to-green g5(waits) b1(ready) | n3:blue-to-green g5(waits) b1(ready)
+43s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g5(ready) | n2:blue-to-green g5(waits) b1(ready) | n3:blue-to-green g5(waits) b1(ready)
+52s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g5(ready) | n2:blue-to-green g5(waits) b1(ready) | n3:blue-to-green g5(waits) b1(ready)
+53s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g5(ready) | n2:green g5(ready) | n3:blue-to-green g5(waits) b1(ready)
+1m3s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g5(ready) | n2:green g5(ready) | n3:green g5(ready)
+1m13s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g5(ready) | n2:green g5(ready) | n3:green g5(ready)
+1m14s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g5(ready) | n2:green g5(ready) | n3:green g5(ready)
+1m15s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g5(ready) | n2:green g5(ready) | n3:green g5(ready)
+1m16s Steady
  UpdateSlot agent SlotFollows
    n1:green g5(ready) | n2:green g5(ready) | n3:green g5(ready)
+1m17s Steady complete
