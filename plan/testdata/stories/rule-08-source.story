# The same for the other slot: n1 is on its way home, its source Pending for want of room, when a person labels it green
# again. The unbound source must not be bound there later.
nodes 2
full n1 1500m
quiet
pair 1
desired 2
until TargetProven
desired 1
until BeginOverlap
aloud
draw
label n1 green
steps 1
draw
run
----
    n1:green-to-blue b1(pending) g2(ready) | n2:blue b1(ready)
! EditLabel n1 slot=green
+24s Returning
  DeletePod agent-8gw8v UnboundTurnedAway
    n1:green g2(ready) | n2:blue b1(ready)
    n1:green g2(ready) | n2:blue b1(ready)
+25s Returning
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(pending) g2(ready) | n2:blue b1(ready)
+26s Returning
  SetNodeSlot n1 CapacityFallback green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready)
+27s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready)
+28s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready)
+36s Steady complete
