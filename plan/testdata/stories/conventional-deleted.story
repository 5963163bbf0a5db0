# A person deletes the conventional DaemonSet before the pair is armed, and one of its Pods still ends. That one has no locks: the DaemonSet
# is made anew, with them, only after it.
nodes 2
deployed 1
desired 1
settle
fault BreakNode n1
kill-set agent Background
steps 3
explain
fault MendNode n1
steps 2
----
! BreakNode n1
! KillSet agent Background
+0s Installing rests
  n2 Wait WaitingForSlot: waiting for a DaemonSet: it, or the record on it, is being written first
! MendNode n1
+0s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
+1s Arming
  UpdateSlot agent PairArmed
    n1 b1(ready) | n2 b1(ready)
