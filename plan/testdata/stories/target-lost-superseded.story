# The proven target's DaemonSet is deleted while another revision is desired: its template is lost, so it is not finished
# first, and nothing is deleted again and again.
nodes 3
set maxUnavailable=2
quiet
pair 1
desired 2
until TargetProven
kill-set agent-green Background
desired 3
aloud
run
----
! KillSet agent-green Background
+24s Repairing
  CreateSlot agent-green SlotMissing
    n1:green g1(ready) | n2:green g1(ready) | n3:blue-to-green g1(waits) b1(ready)
+25s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
  DeletePod agent-green-nf6h7 StaleRevision
    n1:green g1(ready) | n2:green g1(ready) | n3:blue-to-green g1(waits) b1(ready)
+26s Returning
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g1(ready) | n2:green-to-blue g1(ready) b1(waits) | n3:blue b1(ready)
+27s Returning
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b1(waits) g1(ready) | n2:green-to-blue g1(ready) b1(waits) | n3:blue b1(ready)
+28s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+29s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+30s Preparing
  UpdateSlot agent-green NewRevision
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+31s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+32s Advancing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
  SetNodeSlot n2 BeginOverlap blue → blue-to-green
  SetNodeSlot n3 BeginOverlap blue → blue-to-green
    n1:blue-to-green b1(ready) g3(waits) | n2:blue-to-green g3(waits) b1(ready) | n3:blue-to-green g3(waits) b1(ready)
+33s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:blue-to-green b1(ready) g3(waits) | n2:blue-to-green g3(waits) b1(ready) | n3:blue-to-green g3(waits) b1(ready)
+34s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (free)
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (free)
    n1:green g3(ready) | n2:green g3(ready) | n3:blue-to-green g3(waits) b1(ready)
+44s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g3(ready) | n2:green g3(ready) | n3:blue-to-green g3(waits) b1(ready)
+45s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+55s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+56s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+57s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+58s Steady
  UpdateSlot agent SlotFollows
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+59s Steady complete
