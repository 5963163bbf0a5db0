# The former revision is desired again: the decision is made, and no failure is judged on the way.
set type=RollingUpdate maxUnavailable=1
nodes 3
steady 1
desired 2
until TargetProven
steps 1
desired 1
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+21s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready)
+22s Preparing
  UpdateSlot agent ReturnBegun
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready)
+23s Returning
  RecordState agent EmptiedNoted
  DeletePod agent-qcdz7 StaleRevision (free)
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+33s Returning
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+43s Returning
  RecordState agent ReturnComplete
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+44s Steady complete
