# A person labels n1 while the caches lag: the plan is made from what was, and the API server refuses its write, since
# the guards name the former values. Nothing happens to n1 that the plan did not see.
nodes 2
quiet
pair 1
desired 2
until TargetRecorded
aloud
lag on
label n1 green
steps 1
draw
lag off
run
----
! EditLabel n1 slot=green
+11s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green — refused
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+12s Advancing
  RecordCandidate n2 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+21s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+22s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready)
+32s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+33s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+34s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+35s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready)
+36s Steady complete
