# The DaemonSet is deleted without its Pods, and one of them ends: nobody adopts that one any more, and without locks a new Pod
# would start beside it. The DaemonSet is made anew after it.
set type=RollingUpdate maxUnavailable=1
nodes 2
steady 1
fault BreakNode n1
kill-pod n1 blue
kill-set agent Orphan
steps 2
explain
fault MendNode n1
run
----
! BreakNode n1
! KillPod n1 agent-lqlw7
! KillSet agent Orphan
+10s Installing rests
  n2 Wait WaitingForSlot: waiting for a DaemonSet: it, or the record on it, is being written first
! MendNode n1
+10s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
+20s Steady complete
