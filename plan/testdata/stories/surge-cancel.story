# The replacement never pulls: nothing was lost, and the former template comes back.
set type=Surge overlap=Locked deadline=60
image 2 PullFails
nodes 3
steady 1
desired 2
run
conditions
image 2 Good
set retry=2
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(starts) b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m10s Returning
  UpdateSlot agent ReturnBegun
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m11s Returning
  RecordState agent ReturnComplete
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m12s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 (ImagePullBackOff) and is not tried again: desire another revision, or set spec.decision.retry to <2>
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed on node n1 (ImagePullBackOff)
  Blocked=True RevisionRememberedAsFailed: revision <2> failed on node n1 (ImagePullBackOff) and is not tried again: desire another revision, or set spec.decision.retry to <2>
+1m12s Steady
  RecordState agent FailureForgotten
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m13s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m14s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready)
+1m24s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready)
+1m25s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(waits) b1(ready)
+1m35s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m45s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m46s Steady complete
