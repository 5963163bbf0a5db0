# The source crashes as a whole, its target takes all the locks and has been Ready long enough when the next plan is
# made: the exact target serves, so the label follows without a seat. Nobody takes the node from the Pod that serves it.
nodes 2
quiet
pair 1
desired 2
set paused=true
run
set paused=false
until CandidatePrepared
aloud
crash n1 blue agent
crash n1 blue trace-agent
settle
wait 15s
draw
run
----
! Crash n1 agent-lqlw7 agent
! Crash n1 agent-lqlw7 trace-agent
    n1:blue-to-green g2(ready) b1(waits) | n2:blue-to-green g2(waits) b1(ready)
+28s Advancing
  SetNodeSlot n1 HandoffServing blue-to-green → green
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready)
+29s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:green g2(ready)
+38s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+39s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+40s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+41s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready)
+42s Steady complete
