# A target that nobody has proven fails on the one node it got: the former template is written back, and the revision remembered.
set type=RollingUpdate deadline=60
image 2 PullFails
nodes 3
steady 1
desired 2
run
explain
conditions
image 2 Good
set retry=2
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b2(starts) | n2 b1(ready) | n3 b1(ready)
+1m11s Returning
  UpdateSlot agent ReturnBegun
    n1 b2(starts) | n2 b1(ready) | n3 b1(ready)
+1m12s Returning
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (free)
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m22s Returning
  RecordState agent ReturnComplete
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m23s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 (ImagePullBackOff) and is not tried again: desire another revision, or set spec.decision.retry to <2>
  n1 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  n2 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  n3 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed on node n1 (ImagePullBackOff)
  Blocked=True RevisionRememberedAsFailed: revision <2> failed on node n1 (ImagePullBackOff) and is not tried again: desire another revision, or set spec.decision.retry to <2>
+1m23s Steady
  RecordState agent FailureForgotten
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m24s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m25s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-9xt6k StaleRevision (paid)
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+1m35s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+1m36s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b1(ready)
+1m46s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-k2m5t StaleRevision (paid)
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m56s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready) | n3 b2(ready)
+1m57s Steady complete
