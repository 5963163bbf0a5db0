# A proven target that fails is held: the native controller is stopped, and the memory stays though it takes the failed Pods away.
set type=Surge overlap=Locked deadline=60
nodes 4
steady 1
desired 2
until TargetProven
image 2 PullFails
fault BreakPulls n3
run
explain
conditions
image 2 Good
fault MendPulls n3
set recover=Forward
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
! BreakPulls n3
+21s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(starts) b1(ready) | n4 b1(ready)
+1m21s Held
  RecordState agent TargetFailed
    n1 b2(ready) | n2 b2(ready) | n3 b2(starts) b1(ready) | n4 b1(ready)
+1m22s Held
  UpdateSlot agent NativeStopped
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready) | n4 b1(ready)
+1m23s Held blocked: FailedAndHeld: revision <2> failed on node n3 (ImagePullBackOff), and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes
  n1 Done OnTarget: served by the new revision
  n2 Done OnTarget: served by the new revision
  n3 Wait RolloutHeld: held: the new revision failed, and a decision is needed
  n4 Wait RolloutHeld: held: the new revision failed, and a decision is needed
  Available=True WithinBudget: 4 eligible = 4 available + 0 ambient + 0 committed
  Progressing=False FailedAndHeld: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed on node n3 (ImagePullBackOff)
  Blocked=True FailedAndHeld: revision <2> failed on node n3 (ImagePullBackOff), and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes
! MendPulls n3
+1m23s Advancing
  RecordState agent FailuresForgiven
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready) | n4 b1(ready)
+1m24s Advancing
  RecordState agent FailureForgotten
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready) | n4 b1(ready)
+1m25s Advancing
  UpdateSlot agent SurgeEnabled
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready) b2(waits) | n4 b1(ready)
+1m26s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b1(ready) b2(waits)
+1m36s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-2djhx HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+1m46s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready) | n4 b2(ready)
+1m47s Steady complete
