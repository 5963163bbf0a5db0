# Both DaemonSets of a pair without locks are deleted, and on a broken node a Pod of theirs does not end. Nothing is made anew
# before: when the node is back a second agent could start beside it.
set overlap=Never
nodes 2
quiet
pair 1
aloud
fault BreakNode n2
kill-set agent Background
kill-set agent-green Background
run
draw
fault MendNode n2
run
draw
----
! BreakNode n2
! KillSet agent Background
! KillSet agent-green Background
+10s Installing rests
    n1 | n2! b1(starts-ends)
! MendNode n2
+10s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
+11s Arming
  UpdateSlot agent PairArmed
    n1 b1(ready) | n2 b1(ready)
+12s Arming
  CreateSlot agent-green PairArmed
    n1 b1(ready) | n2 b1(ready)
+20s Steady complete
    n1 b1(ready) | n2 b1(ready)
