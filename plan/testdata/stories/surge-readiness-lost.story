# All old Pods become unready. Outside maxSurge the native controller would replace them all at once: it is stopped.
set type=Surge overlap=Locked maxUnavailable=1
nodes 5
steady 1
desired 2
until TargetProven
image 1 NeverReady
stall on
unready n3 blue
unready n4 blue
unready n5 blue
steps 2
stall off
run
explain
conditions
desired 3
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
! StopReadiness n3 agent-k2m5t agent
! StopReadiness n4 agent-2djhx agent
! StopReadiness n5 agent-ctk4l agent
+21s Advancing
  UpdateSlot agent NativeStopped
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(starts) | n4 b1(starts) | n5 b1(starts)
+10m21s Advancing blocked: ReadinessLost: systemic readiness loss: 3 of 5 nodes are unavailable, 0 committed + 3 ambient − 0 exempt > maxUnavailable 1, spent by n3 (ambient), n4 (ambient), n5 (ambient). The native controller is stopped, since it would replace every unready Pod at once. To go on, repair or remove what spends it, raise spec.strategy.maxUnavailable, or set spec.strategy.exemptUnhealthy above 0; or desire another revision, which is then rolled delete-first; spec.decision {revision: <2>, recover: Forward} goes on delete-first with this one
  n1 Done OnTarget: served by the new revision
  n2 Wait ReadinessLost: held: 3 nodes are unavailable, and the native controller, which is stopped, would replace every unready Pod at once
  n3 Wait ReadinessLost: held: 3 nodes are unavailable, and the native controller, which is stopped, would replace every unready Pod at once
  n4 Wait ReadinessLost: held: 3 nodes are unavailable, and the native controller, which is stopped, would replace every unready Pod at once
  n5 Wait ReadinessLost: held: 3 nodes are unavailable, and the native controller, which is stopped, would replace every unready Pod at once
  Available=False UnavailableAboveBudget: 5 eligible = 2 available + 3 ambient + 0 committed; maxUnavailable is 1
  Progressing=False ReadinessLost: see the condition Blocked
  Degraded=True ReadinessLost: systemic readiness loss: 3 of 5 nodes are unavailable, 0 committed + 3 ambient − 0 exempt > maxUnavailable 1, spent by n3 (ambient), n4 (ambient), n5 (ambient). The native controller is stopped, since it would replace every unready Pod at once. To go on, repair or remove what spends it, raise spec.strategy.maxUnavailable, or set spec.strategy.exemptUnhealthy above 0; or desire another revision, which is then rolled delete-first; spec.decision {revision: <2>, recover: Forward} goes on delete-first with this one
  Blocked=True ReadinessLost: systemic readiness loss: 3 of 5 nodes are unavailable, 0 committed + 3 ambient − 0 exempt > maxUnavailable 1, spent by n3 (ambient), n4 (ambient), n5 (ambient). The native controller is stopped, since it would replace every unready Pod at once. To go on, repair or remove what spends it, raise spec.strategy.maxUnavailable, or set spec.strategy.exemptUnhealthy above 0; or desire another revision, which is then rolled delete-first; spec.decision {revision: <2>, recover: Forward} goes on delete-first with this one
+10m21s Preparing
  UpdateSlot agent NewRevision
    n1 b2(ready) | n2 b1(ready) | n3 b1(starts) | n4 b1(starts) | n5 b1(starts)
+10m22s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (free)
    n1 b2(ready) | n2 b1(ready) | n3 b3(ready) | n4 b1(starts) | n5 b1(starts)
+10m32s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready) | n3 b3(ready) | n4 b1(starts) | n5 b1(starts)
+10m33s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-2djhx StaleRevision (free)
    n1 b2(ready) | n2 b1(ready) | n3 b3(ready) | n4 b3(ready) | n5 b1(starts)
+10m43s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-ctk4l StaleRevision (free)
    n1 b2(ready) | n2 b1(ready) | n3 b3(ready) | n4 b3(ready) | n5 b3(ready)
+10m53s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (paid)
    n1 b3(ready) | n2 b1(ready) | n3 b3(ready) | n4 b3(ready) | n5 b3(ready)
+11m3s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready) | n4 b3(ready) | n5 b3(ready)
+11m13s Completing
  RecordState agent RolloutComplete
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready) | n4 b3(ready) | n5 b3(ready)
+11m14s Steady
  UpdateSlot agent SurgeEnabled
    n1 b3(ready) | n2 b3(ready) | n3 b3(ready) | n4 b3(ready) | n5 b3(ready)
+11m15s Steady complete
