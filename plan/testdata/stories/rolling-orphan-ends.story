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
+10m40s Installing blocked: DeletionHangs: Pod agent-lqlw7 without a controller still runs on node n1, perhaps others elsewhere, and no lock keeps new ones from starting beside them: DaemonSet agent is made only after them. Delete them, or repair or remove the node, if they do not end: it has been left for 10m0s
  n2 Wait WaitingForSlot: waiting for a DaemonSet: it, or the record on it, is being written first
! MendNode n1
+10m40s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
+10m50s Steady complete
