# Repeated restarts of the exact target on a Ready node are a failure before the deadline: more than maxRestarts.
nodes 3
set maxRestarts=2
quiet
pair 1
desired 2
image 2 NeverReady
until HandoffPrepared
aloud
crash n1 green agent
settle
crash n1 green agent
settle
steps 1
crash n1 green agent
settle
run
----
! Crash n1 agent-green-k2kbd agent
! Crash n1 agent-green-k2kbd agent
+14s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
! Crash n1 agent-green-k2kbd agent
+15s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+16s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+17s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+18s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+19s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+20s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+28s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
