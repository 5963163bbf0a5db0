# The active DaemonSet is deleted with its Pods orphaned: it is made anew, and adopts them.
nodes 2
pair 1
kill-set agent Orphan
run
draw
----
! KillSet agent Orphan
+10s Repairing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
+11s Steady complete
    n1 b1(ready) | n2 b1(ready)
