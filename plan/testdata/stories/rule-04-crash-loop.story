# Ready for a moment is no proof. n1's target is Ready and crashes again every five seconds: without the settling time
# the first such moment would prove it, and open the way to the next node.
nodes 3
quiet
pair 1
desired 2
until HandoffPrepared
aloud
wait 5s
steps 1
crash n1 green agent
wait 5s
steps 1
crash n1 green agent
wait 5s
steps 1
crash n1 green agent
settle
draw
ledger
run
----
+19s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
! Crash n1 agent-green-k2kbd agent
! Crash n1 agent-green-k2kbd agent
! Crash n1 agent-green-k2kbd agent
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
  3 eligible = 2 available + 0 ambient + 1 committed
+1m0s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+1m1s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+1m11s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m21s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m22s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m23s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m24s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m25s Steady complete
