# A person edits the template: it is put right, and no Pod is touched. A deleted DaemonSet is made anew.
set type=RollingUpdate
nodes 2
steady 1
edit-template agent 9
run
kill-set agent Orphan
run
----
! EditTemplate agent agent agent:9
+10s Steady
  UpdateSlot agent SlotDrifted
    n1 b1(ready) | n2 b1(ready)
+11s Steady complete
! KillSet agent Orphan
+11s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
+12s Steady complete
