# The same without locks: the former owner is narrowed first, so that the node never gets two Pods.
nodes 2
set overlap=Never
quiet
pair 1
desired 2
until OwnershipMoved
aloud
fault JoinNode n3 n1
run
----
! JoinNode n3 n1
+35s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3 g2(ready)
+36s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3 g2(ready)
+37s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3 g2(ready)
+45s Steady complete
