set type=Surge maxUnavailable=2
nodes 5
steady 1
desired 2
run
draw
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(ready) b1(ready) | n2 b2(ready) b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
+20s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) b1(ready) | n4 b1(ready) b2(ready) | n5 b1(ready)
+41s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready) | n5 b2(ready)
+42s Steady complete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready) | n5 b2(ready)
