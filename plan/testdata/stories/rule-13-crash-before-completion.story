# The executor dies when the ownership has moved and completion is not recorded; then between the two halves of that
# record. A node that joins in between gets the new slot.
nodes 2
quiet
pair 1
desired 2
until OwnershipMoved
steps 1
aloud
restart second
fault JoinNode n3 n1
crash-before 2
restart third
run
draw
----
! JoinNode n3 n1
+36s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete — not sent
    n1:green g2(ready) | n2:green g2(ready) | n3 g2(ready)
+37s Steady
  RecordState agent-green StateRepaired
    n1:green g2(ready) | n2:green g2(ready) | n3 g2(ready)
+38s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3 g2(ready)
+46s Steady complete
    n1:green g2(ready) | n2:green g2(ready) | n3 g2(ready)
