# No node has the selector's label, so that no Pod of revision 2 ever runs: the timeout counts without Pods.
nodes 2
set canary.timeout=20m canary.duration=5m canary.selector=canary:yes
pair 1
desired 2
run
conditions
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready)
+20m11s Canary
  RecordState agent CanaryFailed
  RecordState agent-green CanaryFailed
    n1 b1(ready) | n2 b1(ready)
+20m12s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1 b1(ready) | n2 b1(ready)
+20m13s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1 b1(ready) | n2 b1(ready)
+20m14s Steady
  UpdateSlot agent-green SlotFollows
    n1 b1(ready) | n2 b1(ready)
+20m15s Steady blocked: RevisionRememberedAsFailed: revision <2> failed as a canary (not validated within autoFail.canaryTimeout 20m0s: 0 of 1 available, 0 placed) and is not tried again: desire another revision, or set spec.decision.retry to <2>
  Available=True WithinBudget: 2 eligible = 2 available + 0 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed as a canary (not validated within autoFail.canaryTimeout 20m0s: 0 of 1 available, 0 placed)
  Blocked=True RevisionRememberedAsFailed: revision <2> failed as a canary (not validated within autoFail.canaryTimeout 20m0s: 0 of 1 available, 0 placed) and is not tried again: desire another revision, or set spec.decision.retry to <2>
