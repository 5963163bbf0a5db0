# A new DaemonSet has no former template to go back to.
set type=RollingUpdate deadline=60
image 1 NeverReady
nodes 2
desired 1
run
conditions
----
+0s Installing
  CreateSlot agent SlotMissing
    n1 b1(starts) | n2 b1(starts)
+1s Steady rests
  Available=False UnavailableAboveBudget: 2 eligible = 0 available + 2 ambient + 0 committed; maxUnavailable is 1
  Progressing=True RolloutUnderWay: Steady: 0 of 2 nodes updated
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
