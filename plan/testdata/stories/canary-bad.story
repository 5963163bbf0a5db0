# Revision 2 never gets ready: past the deadline it has failed as a canary, on one node of four.
nodes 4
set maxUnavailable=2 canary.replicas=1
pair 1
desired 2
image 2 NeverReady
run
conditions
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+12s Canary
  SetNodeSlot n1 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+13s Canary
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+14s Canary
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(starts) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+10m14s Canary
  RecordState agent CanaryFailed
  RecordState agent-green CanaryFailed
    n1:green g2(starts) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+10m15s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(starts) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+10m16s Returning
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(starts) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+10m17s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(starts) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+10m18s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+10m19s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+10m20s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+10m28s Steady blocked: RevisionRememberedAsFailed: revision <2> failed as a canary on node n1 (the target failed) and is not tried again: desire another revision, or set spec.decision.retry to <2>
  Available=True WithinBudget: 4 eligible = 4 available + 0 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed as a canary on node n1 (the target failed)
  Blocked=True RevisionRememberedAsFailed: revision <2> failed as a canary on node n1 (the target failed) and is not tried again: desire another revision, or set spec.decision.retry to <2>
