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
+10m40s Installing blocked: DeletionHangs: Pod agent-s89wq of a former DaemonSet (UID 00000000-0000-4000-8000-000000000001) still runs on node n2, perhaps others elsewhere, and no lock keeps new ones from starting beside them: DaemonSet agent is made only after them. Delete them, or repair or remove the node, if they do not end: it has been left for 10m0s
    n1 | n2! b1(starts-ends)
! MendNode n2
+10m40s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
+10m41s Arming
  UpdateSlot agent PairArmed
    n1 b1(ready) | n2 b1(ready)
+10m42s Arming
  CreateSlot agent-green PairArmed
    n1 b1(ready) | n2 b1(ready)
+10m50s Steady complete
    n1 b1(ready) | n2 b1(ready)
