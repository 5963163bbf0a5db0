# The same on one DaemonSet: what was made from the edited template counts as another revision.
set type=RollingUpdate
nodes 2
steady 1
edit-template agent 9
kill-pod n1 b
settle
draw
run
draw
----
! EditTemplate agent agent agent:9
! KillPod n1 agent-lqlw7
    n1 b9(ready) | n2 b1(ready)
+10s Steady
  UpdateSlot agent SlotDrifted
    n1 b9(ready) | n2 b1(ready)
+11s Repairing
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (free)
    n1 b1(ready) | n2 b1(ready)
+21s Steady
  RecordState agent EmptiedNoted
    n1 b1(ready) | n2 b1(ready)
+22s Steady complete
    n1 b1(ready) | n2 b1(ready)
