# Revision 2 cannot be pulled: only the window's nodes try, no node is lost, and all go home.
nodes 5
pair 1
desired 2
image 2 PullFails
run
conditions
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(starts) b1(ready) | n2:blue-to-green g2(starts) b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready)
+13s Advancing
  SetNodeSlot n3 BeginOverlap - → blue-to-green
  SetNodeSlot n4 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(starts) b1(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:blue-to-green g2(starts) b1(ready) | n4:blue-to-green b1(ready) g2(starts) | n5 b1(ready)
+10m13s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:blue-to-green g2(starts) b1(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:blue-to-green g2(starts) b1(ready) | n4:blue-to-green b1(ready) g2(starts) | n5 b1(ready)
+10m14s Returning
  SetNodeSlot n1 TakeBack blue-to-green → blue
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n4 TakeBack blue-to-green → blue
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5 b1(ready)
+10m15s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5 b1(ready)
+10m16s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5 b1(ready)
+10m17s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 (ImagePullBackOff) and is not tried again: desire another revision, or set spec.decision.retry to <2>
  Available=True WithinBudget: 5 eligible = 5 available + 0 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed on node n1 (ImagePullBackOff)
  Blocked=True RevisionRememberedAsFailed: revision <2> failed on node n1 (ImagePullBackOff) and is not tried again: desire another revision, or set spec.decision.retry to <2>
