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
+10m30s Installing blocked: DeletionHangs: Pod agent-lqlw7 of a former DaemonSet (UID uid-agent) still runs on node n1, perhaps others elsewhere, and no lock keeps new ones from starting beside them: DaemonSet agent is made only after them. Delete them, or repair or remove the node, if they do not end: it has been left for 10m0s
  n2 Wait WaitingForSlot: waiting for a DaemonSet: it, or the record on it, is being written first
! MendNode n1
+10m30s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
+10m31s Arming
  UpdateSlot agent PairArmed
    n1 b1(ready) | n2 b1(ready)
