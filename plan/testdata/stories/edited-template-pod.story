# The controller makes a Pod from a template that a person has edited, before the plan puts it right. The Pod carries the
# revision of the template, and is not of it: the generation of the edit is remembered, and the Pod replaced.
nodes 2
pair 1
edit-template agent 9
kill-pod n1 blue
settle
draw
run
draw
desired 2
run
draw
----
! EditTemplate agent agent agent:9
! KillPod n1 agent-lqlw7
    n1 b9(ready) | n2 b1(ready)
+10s Steady
  UpdateSlot agent SlotDrifted
    n1 b9(ready) | n2 b1(ready)
+11s Steady
  DeletePod agent-8gw8v StaleRevision (free)
    n1 b1(ready) | n2 b1(ready)
+21s Steady complete
    n1 b1(ready) | n2 b1(ready)
+21s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready)
+22s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready)
+23s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready)
+24s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+35s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+36s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready)
+46s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+47s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+48s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+49s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready)
+50s Steady complete
    n1:green g2(ready) | n2:green g2(ready)
