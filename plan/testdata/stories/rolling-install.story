set type=RollingUpdate
nodes 3
desired 1
run
explain
conditions
----
+0s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+10s Steady complete
  n1 Done OnSource: served by the DaemonSet
  n2 Done OnSource: served by the DaemonSet
  n3 Done OnSource: served by the DaemonSet
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False Reconciled: 3 of 3 nodes are served by the desired revision
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
