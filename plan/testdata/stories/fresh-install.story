# A fresh install: blue with the native rolling update first, then OnDelete, then green.
nodes 2
run
conditions
----
+0s Installing
  CreateSlot agent SlotMissing
    n1 b1(ready) | n2 b1(ready)
+1s Arming
  UpdateSlot agent PairArmed
    n1 b1(ready) | n2 b1(ready)
+2s Arming
  CreateSlot agent-green PairArmed
    n1 b1(ready) | n2 b1(ready)
+10s Steady complete
  Available=True WithinBudget: 2 eligible = 2 available + 0 ambient + 0 committed
  Progressing=False Reconciled: 2 of 2 nodes are served by the desired revision
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
