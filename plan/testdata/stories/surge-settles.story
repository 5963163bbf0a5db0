# minReadySeconds: nothing to do but to wait for so long, and no longer.
set type=Surge settle=10
nodes 1
steady 1
desired 2
steps 2
draw
wait 5s
steps 1
conditions
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(ready) b1(ready)
    n1 b2(ready) b1(ready)
+25s Advancing
  RecordState agent TargetProven
    n1 b2(ready)
  Available=True WithinBudget: 1 eligible = 1 available + 0 ambient + 0 committed
  Progressing=True RolloutUnderWay: Advancing: 1 of 1 nodes updated, 0 in overlap
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
+26s Completing
  RecordState agent RolloutComplete
    n1 b2(ready)
+27s Steady complete
