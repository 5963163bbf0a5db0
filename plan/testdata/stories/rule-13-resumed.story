# The ownership of unlabelled nodes moves before completion is recorded, and is resumed first: the executor dies between
# its two writes. Were completion recorded first, a node that joins could be covered by the old slot alone, for ever.
nodes 2
quiet
pair 1
desired 2
until OwnershipMoved
aloud
restart second
run
----
+35s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+36s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+37s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready)
+38s Steady complete
