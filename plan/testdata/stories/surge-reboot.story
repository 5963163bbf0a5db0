# Both Pods restart. Whichever gets the locks serves, and nobody is condemned.
set type=Surge overlap=Locked deadline=120
nodes 2
steady 1
desired 2
steps 1
fault RebootNode n1
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b1(ready)
! RebootNode n1
+21s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(waits) b1(ready)
+22s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq HandoffPrepared (paid)
    n1 b2(ready) | n2 b2(ready)
+32s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready)
+33s Steady complete
