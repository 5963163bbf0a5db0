set type=Surge overlap=Locked deadline=60
nodes 3
steady 1
desired 2
until TargetProven
image 2 NeverReady
run
set recover=Back
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready)
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(waits) b1(ready) | n3 b1(ready)
+21s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(starts) | n3 b2(waits) b1(ready)
+1m11s Held
  RecordState agent TargetFailed
    n1 b2(ready) | n2 b2(starts) | n3 b2(waits) b1(ready)
+1m12s Held
  UpdateSlot agent NativeStopped
    n1 b2(ready) | n2 b2(starts) | n3 b1(ready)
+1m13s Held blocked: FailedAndHeld: the new revision failed on 1 node, first on n2, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes
+1m13s Returning
  UpdateSlot agent ReturnBegun
    n1 b2(ready) | n2 b2(starts) | n3 b1(ready)
+1m14s Returning
  UpdateSlot agent SurgeEnabled
    n1 b2(ready) b1(waits) | n2 b1(ready) | n3 b1(ready)
+1m24s Returning
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v HandoffPrepared (paid)
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m34s Returning
  RecordState agent ReturnComplete
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m35s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n2 and is not tried again: desire another revision, or set spec.decision.retry to <2>
