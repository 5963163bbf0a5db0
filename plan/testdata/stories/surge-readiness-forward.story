set type=Surge maxUnavailable=1
nodes 4
steady 1
desired 2
until TargetProven
image 1 NeverReady
stall on
unready n3 blue
unready n4 blue
steps 1
stall off
run
set recover=Forward
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(ready) b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+20s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(ready) b1(ready) | n3 b1(ready) | n4 b1(ready)
! StopReadiness n3 agent-k2m5t agent
! StopReadiness n4 agent-2djhx agent
+20s Advancing
  UpdateSlot agent NativeStopped
    n1 b2(ready) | n2 b2(ready) b1(ready) | n3 b1(starts) | n4 b1(starts)
+21s Advancing blocked: ReadinessLost: systemic readiness loss: 2 of 4 nodes are unavailable, 0 committed + 2 ambient − 0 exempt > maxUnavailable 1, spent by n3 (ambient), n4 (ambient). The native controller is stopped, since it would replace every unready Pod at once. To go on, repair or remove what spends it, raise spec.strategy.maxUnavailable, or set spec.strategy.exemptUnhealthy above 0; or desire another revision, which is then rolled delete-first; spec.decision {revision: <2>, recover: Forward} goes on delete-first with this one
+21s Advancing
  RecordState agent FailuresForgiven
    n1 b2(ready) | n2 b1(ready) | n3 b1(starts) | n4 b1(starts)
+22s Advancing
  RecordState agent DeleteFirst
    n1 b2(ready) | n2 b1(ready) | n3 b1(starts) | n4 b1(starts)
+23s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (free)
    n1 b2(ready) | n2 b1(ready) | n3 b2(ready) | n4 b1(starts)
+33s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-2djhx StaleRevision (free)
    n1 b2(ready) | n2 b1(ready) | n3 b2(ready) | n4 b2(ready)
+43s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+53s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+54s Steady
  UpdateSlot agent SurgeEnabled
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+55s Steady complete
