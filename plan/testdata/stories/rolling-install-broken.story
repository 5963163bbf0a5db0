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
+1m0s Steady rests
  Available=False UnavailableAboveBudget: 2 eligible = 0 available + 2 ambient + 0 committed; maxUnavailable is 1
  Progressing=False Reconciled: 0 of 2 nodes are served by the desired revision, 2 are set aside
  Degraded=True CompleteExcept: 2 nodes are set aside: n1 (SourceNotStarting: Pod agent-lqlw7 has not been Ready for 1m0s), n2 (SourceNotStarting: Pod agent-s89wq has not been Ready for 1m0s). They are tried again when something changes on them
  Blocked=False AsExpected: 
