# Green serves, and owns the nodes without the slot label, when both DaemonSets are deleted without their Pods: green is made
# first, and adopts them. Blue would start a second agent beside them.
set overlap=Never
nodes 2
quiet
pair 1
desired 2
run
unlabel n1
aloud
draw
kill-set agent Orphan
kill-set agent-green Orphan
run
draw
----
! EditLabel n1 slot-
    n1 g2(ready) | n2:green g2(ready)
! KillSet agent Orphan
! KillSet agent-green Orphan
+39s Installing
  CreateSlot agent-green SlotMissing
    n1 g2(ready) | n2:green g2(ready)
+40s Repairing
  CreateSlot agent SlotMissing
    n1 g2(ready) | n2:green g2(ready)
+41s Steady complete
    n1 g2(ready) | n2:green g2(ready)
