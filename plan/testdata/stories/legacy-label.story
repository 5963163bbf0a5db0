# An old spelling of the label, which no slot admits, is rewritten.
nodes 2
pair 1
label n1 blue-pending
run
wait 1h
run
draw
explain
conditions
----
! EditLabel n1 slot=blue-pending
+10s Repairing
  SetNodeSlot n1 LabelRepaired blue-pending → blue
    n1:blue b1(ready) | n2 b1(ready)
+20s Steady complete
+1h0m20s Steady complete
    n1:blue b1(ready) | n2 b1(ready)
  n1 Done OnSource: served by the active slot
  n2 Done OnSource: served by the active slot
  Available=True WithinBudget: 2 eligible = 2 available + 0 ambient + 0 committed
  Progressing=False Reconciled: 2 of 2 nodes are served by the desired revision
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
