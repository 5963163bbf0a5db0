# A person deletes the active DaemonSet: it is made anew from the other one, which follows it.
nodes 3
pair 1
kill-set agent Background
run
----
! KillSet agent Background
+10s Repairing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+20s Steady complete
