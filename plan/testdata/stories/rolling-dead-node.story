# A dead node is charged, and left alone; an exempt one does not hold the others up, and follows when it comes back.
set type=RollingUpdate
nodes 3
steady 1
fault LoseNode n1
wait 60s
desired 2
run
explain
set exempt=1
run
explain
fault MendNode n1
run
----
! LoseNode n1
+1m10s Preparing
  UpdateSlot agent NewRevision
    n1! b1(starts) | n2 b1(ready) | n3 b1(ready)
+1m11s Advancing blocked: BudgetSpent: 2 nodes wait for budget: 0 committed + 1 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n1 (ambient, its Node is not Ready): repair or remove what spends it, raise spec.strategy.maxUnavailable, or set spec.strategy.exemptUnhealthy above 0
  n1 Wait NodeNotReady: the Node is not Ready: it is left for last
  n2 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
  n3 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
+1m11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1! b1(starts) | n2 b2(ready) | n3 b1(ready)
+1m21s Advancing
  RecordState agent TargetProven
    n1! b1(starts) | n2 b2(ready) | n3 b1(ready)
+1m22s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (paid)
    n1! b1(starts) | n2 b2(ready) | n3 b2(ready)
+1m32s Completing
  RecordState agent RolloutComplete
    n1! b1(starts) | n2 b2(ready) | n3 b2(ready)
+1m33s Steady complete
  n1 Wait NodeNotReady: the Node is not Ready: it is left for last
  n2 Done OnSource: served by the DaemonSet
  n3 Done OnSource: served by the DaemonSet
! MendNode n1
+1m33s Repairing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (free)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m43s Steady
  RecordState agent EmptiedNoted
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m44s Steady complete
