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
+35s Advancing
  SetNodeSlot n3 LabelRepaired - → blue
    n1:green g2(ready) | n2:green g2(ready) | n3:blue b1(ready)
+36s Advancing
  SetNodeSlot n3 ReleaseSource blue → released-to-green (free)
    n1:green g2(ready) | n2:green g2(ready) | n3:released-to-green
+46s Advancing
  SetNodeSlot n3 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+56s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+57s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+58s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+59s Steady complete
