# A proven target that fails on a later node waits for a decision.
set type=RollingUpdate deadline=60
nodes 3
steady 1
desired 2
until TargetProven
image 2 NeverReady
run
explain
set recover=Back
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
    n1 b2(ready) | n2 b2(starts) | n3 b1(ready)
+1m21s Held blocked: FailedAndHeld: the new revision failed on 1 node, first on n2, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes
  n1 Done OnTarget: served by the new revision
  n2 Block TargetFailed: the new Pod failed here
  n3 Wait RolloutHeld: held: the new revision failed, and a decision is needed
+1m21s Returning
  UpdateSlot agent ReturnBegun
    n1 b2(ready) | n2 b2(starts) | n3 b1(ready)
+1m22s Returning
  RecordState agent EmptiedNoted
  DeletePod agent-qcdz7 StaleRevision (free)
    n1 b2(ready) | n2 b1(ready) | n3 b1(ready)
+1m32s Returning
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m42s Returning
  RecordState agent ReturnComplete
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m43s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n2 and is not tried again: desire another revision, or set spec.decision.retry to <2>
