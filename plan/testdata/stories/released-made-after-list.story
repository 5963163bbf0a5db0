# Overlap Never: a new executor makes a missing DaemonSet only once no request of its predecessor can land any more: that one may have made it
# already, with Pods that are not seen yet.
set overlap=Never
nodes 2
quiet
pair 1
aloud
kill-set agent Background
settle
restart two 20s
steps 2
explain
run
----
! KillSet agent Background
+30s Repairing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
  n1 Wait WaitingForSlot: waiting for the slots: a DaemonSet or the record is being written first
  n2 Wait WaitingForSlot: waiting for the slots: a DaemonSet or the record is being written first
+40s Steady complete
