# Both DaemonSets are deleted in the middle of a handoff, one of them without its Pods, and then the pair is to be given up. No
# conventional DaemonSet is made beside a Pod that holds the locks: the pair is made anew, takes its Pods over, and ends.
nodes 2
quiet
pair 1
desired 2
until BeginOverlap
settle
aloud
kill-set agent Foreground
settle
kill-set agent-green Orphan
settle
draw
set intent=OptOut
desired 1
run
draw
----
! KillSet agent Foreground
! KillSet agent-green Orphan
    n1:blue-to-green o2(ready) | n2:blue-to-green o2(ready)
+12s Installing
  CreateSlot agent SlotMissing
    n1:blue-to-green o2(ready) b1(waits) | n2:blue-to-green o2(ready) b1(waits)
+13s Arming
  UpdateSlot agent PairArmed
    n1:blue-to-green o2(ready) b1(waits) | n2:blue-to-green o2(ready) b1(waits)
+14s Arming
  CreateSlot agent-green PairArmed
    n1:blue-to-green g2(ready) b1(waits) | n2:blue-to-green g2(ready) b1(waits)
+15s OptingOut
  SetNodeSlot n1 TurnBack blue-to-green → green-to-blue
  SetNodeSlot n2 TurnBack blue-to-green → green-to-blue
    n1:green-to-blue g2(ready) b1(waits) | n2:green-to-blue g2(ready) b1(waits)
+16s OptingOut
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue g2(ready) b1(waits) | n2:green-to-blue g2(ready) b1(waits)
+22s OptingOut
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:green-to-blue g2(ready) b1(waits)
+32s OptingOut
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready)
+33s OptingOut
  DeleteSlot agent-green HandedBack
    n1:blue b1(ready) | n2:blue b1(ready)
+34s OptingOut
  ClearNode n1 HandedBack
  ClearNode n2 HandedBack
    n1 b1(ready) | n2 b1(ready)
+35s OptingOut
  UpdateSlot agent HandedBack
    n1 b1(ready) | n2 b1(ready)
+36s OptingOut
  RecordState agent HandedBack
    n1 b1(ready) | n2 b1(ready)
+37s Gone complete
    n1 b1(ready) | n2 b1(ready)
