# A node whose agent had failed before the rollout began, and that can pull no image, condemns nothing: it goes last while the target is not proven, is
# exempt as it was before, and is set aside at the end.
set overlap=Never
set exempt=1
nodes 3
steady 1
image 1 NeverReady
crash n1 blue agent
fault BreakPulls n1
settle
desired 2
run
explain
conditions
----
! Crash n1 agent-lqlw7 agent
! BreakPulls n1
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(starts) | n2 b1(ready) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(starts) | n2 b1(ready) | n3 b1(ready)
+12s Advancing
  SetNodeSlot n2 ReleaseSource - → released-to-green (paid)
    n1 b1(starts) | n2:released-to-green | n3 b1(ready)
+13s Advancing
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1 b1(starts) | n2:green g2(ready) | n3 b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1 b1(starts) | n2:green g2(ready) | n3 b1(ready)
+24s Advancing
  SetNodeSlot n1 ReleaseSource - → released-to-green (free)
    n1:released-to-green | n2:green g2(ready) | n3 b1(ready)
+34s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(starts) | n2:green g2(ready) | n3 b1(ready)
+35s Advancing
  SetNodeSlot n3 ReleaseSource - → released-to-green (paid)
    n1:green g2(starts) | n2:green g2(ready) | n3:released-to-green
+36s Advancing
  SetNodeSlot n3 AdmitTarget released-to-green → green
    n1:green g2(starts) | n2:green g2(ready) | n3:green g2(ready)
+10m34s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(starts) | n2:green g2(ready) | n3:green g2(ready)
+10m35s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(starts) | n2:green g2(ready) | n3:green g2(ready)
+10m36s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(starts) | n2:green g2(ready) | n3:green g2(ready)
+10m37s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(starts) | n2:green g2(ready) | n3:green g2(ready)
+10m38s Steady rests
  n1 Block SourceNotStarting: the agent of the serving slot does not start here: the node is set aside: Pod agent-green-k2kbd has not been Ready for 10m4s: ImagePullBackOff
  n2 Done OnSource: served by the active slot
  n3 Done OnSource: served by the active slot
  Available=True WithinBudget: 3 eligible = 2 available + 1 ambient + 0 committed
  Progressing=False Reconciled: 2 of 3 nodes are served by the desired revision, 1 is set aside
  Degraded=True CompleteExcept: 1 node is set aside: n1 (SourceNotStarting: Pod agent-green-k2kbd has not been Ready for 10m4s: ImagePullBackOff). They are tried again when something changes on them
  Blocked=False AsExpected: 
