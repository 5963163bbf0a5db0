# n1's target is Ready for a moment, crashes, and is Ready again. It fails by its restarts in a Ready moment as well: an
# executor that happens to look only then would never see a target that has failed.
nodes 2
set maxRestarts=1
quiet
pair 1
desired 2
until HandoffPrepared
wait 5s
crash n1 green agent
settle
crash n1 green agent
settle
aloud
draw
steps 1
explain
run
----
! Crash n1 agent-green-k2kbd agent
! Crash n1 agent-green-k2kbd agent
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+19s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
  n1 Block TargetFailed: the target failed here
  n2 Wait WaitingForSlot: waiting for the slots: a DaemonSet or the record is being written first
+20s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready)
+21s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready)
+22s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready)
+23s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready)
+24s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready)
+32s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
