# On one DaemonSet a recreated Pod takes the newest template: while it is paused the next one is not written.
set type=RollingUpdate
nodes 2
steady 1
set paused=true
desired 2
run
kill-pod n1 blue
run
set paused=false frozen=true
run
set frozen=false
run
----
+10s Preparing blocked: RolloutPaused: spec.strategy.paused stops all deletions: set it to false to go on
! KillPod n1 agent-lqlw7
+20s Preparing blocked: RolloutPaused: spec.strategy.paused stops all deletions: set it to false to go on
+20s Preparing blocked: RolloutFrozen: spec.strategy.frozen stops everything: set it to false to go on
+20s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready)
+21s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (paid)
    n1 b2(ready) | n2 b1(ready)
+31s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready)
+32s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready)
+42s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready)
+43s Steady complete
