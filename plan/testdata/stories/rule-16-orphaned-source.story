# The same with the source, which owns the unlabelled nodes: it is made anew before anything else and adopts the serving
# Pods, and no node changes hands meanwhile. Its own template is lost; OnDelete keeps its Pods as they are.
nodes 3
quiet
pair 1
desired 2
until TargetProven
aloud
kill-set agent Orphan
settle
draw
run
----
! KillSet agent Orphan
    n1:green g2(ready) | n2:blue-to-green g2(waits) o1(ready) | n3:blue-to-green g2(waits) o1(ready)
+24s Repairing
  CreateSlot agent SlotMissing
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+35s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+45s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+46s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+47s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+48s Steady complete
