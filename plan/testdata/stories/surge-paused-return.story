# The target fails while the rollout is paused. The native controller is stopped before the former template is written, and begins with it once the
# pause is over.
set type=Surge overlap=Locked maxUnavailable=1 deadline=60
nodes 2
image 2 NeverReady
steady 1
desired 2
until HandoffPrepared
set paused=true
run
explain
set paused=false
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
    n1 b2(starts) | n2 b2(waits) b1(ready)
+11s Advancing
  UpdateSlot agent NativeStopped
    n1 b2(starts) | n2 b1(ready)
+1m11s Returning
  UpdateSlot agent ReturnBegun
    n1 b2(starts) | n2 b1(ready)
+1m12s Returning blocked: RolloutPaused: spec.strategy.paused stops all deletions: set it to false to go on
  n1 Wait RolloutPaused: paused: spec.strategy.paused stops handoffs and overlaps
  n2 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
+1m12s Returning
  UpdateSlot agent SurgeEnabled
    n1 b1(ready) | n2 b1(ready)
+1m22s Returning
  RecordState agent ReturnComplete
    n1 b1(ready) | n2 b1(ready)
+1m23s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
