# n2 is off for good: the teardown ends without it past the deadline, and is over. What n2 holds goes when it is back.
nodes 3
pair 1
settle
wait 30s
fault LoseNode n2
set intent=Teardown
run
conditions
set intent=Run
run
fault MendNode n2
run
----
! LoseNode n2
+40s TearingDown
  RecordIntent agent IntentRecorded
    n1 b1(ready) | n2! b1(starts) | n3 b1(ready)
+41s TearingDown
  DeleteSlot agent RolloutTornDown
  DeleteSlot agent-green RolloutTornDown
    n1 | n2! b1(starts-ends) | n3
+11m11s TearingDown
  RecordIntent agent RolloutTornDown
    n1 | n2! b1(starts-ends) | n3
+11m12s Gone complete
  Available=True NoEligibleNodes: no node is eligible
  Progressing=False Reconciled: the rollout has left, but for what is left on 1 node (n2 first), which ends by itself once the lost Nodes are Ready again, or are removed
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
+11m12s Repairing blocked: DeletionHangs: DaemonSet agent has been ending for 10m1s: Pod agent-s89wq on node n2 is left; repair its kubelet, remove its finalizers, or delete it with --force once its node is off
! MendNode n2
+11m12s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11m13s Arming
  UpdateSlot agent PairArmed
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11m14s Arming
  CreateSlot agent-green PairArmed
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11m22s Steady complete
