# The replacement waits well and fails once it has the locks: one node is hurt, and gets its former agent back.
set type=Surge overlap=Locked deadline=60
image 2 NeverReady
nodes 3
steady 1
desired 2
run
explain
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 HandoffPrepared (paid)
    n1 b2(starts) | n2 b2(waits) b1(ready) | n3 b1(ready)
+1m11s Returning
  UpdateSlot agent ReturnBegun
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m21s Returning
  RecordState agent ReturnComplete
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m22s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
  n1 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  n2 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
  n3 Block RevisionRememberedAsFailed: the desired revision failed before and is not tried again
