# The source breaks and does not come back, and the unproven target that takes its locks never gets ready. Past the
# deadline that is the target's failure: the rollout is cancelled instead of waiting for ever.
nodes 2
image 2 NeverReady
quiet
pair 1
desired 2
until CandidatePrepared
image 1 NeverReady
aloud
crash n1 blue agent
crash n1 blue trace-agent
settle
draw
run
conditions
----
! Crash n1 agent-lqlw7 agent
! Crash n1 agent-lqlw7 trace-agent
    n1:blue-to-green g2(starts) b1(waits) | n2:blue-to-green g2(waits) b1(ready)
+13s Advancing
  DeletePod agent-green-k2kbd LocksSplit
    n1:blue-to-green g2(waits) b1(starts) | n2:blue-to-green g2(waits) b1(ready)
+14s Advancing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(starts) | n2:blue-to-green g2(waits) b1(ready)
+15s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (free)
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready)
+10m15s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready)
+10m16s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready)
+10m17s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready)
+10m18s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(starts) | n2:blue b1(ready)
+10m19s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(starts) | n2:blue b1(ready)
+10m20s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(starts) | n2:blue b1(ready)
+20m18s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
  Available=True WithinBudget: 2 eligible = 1 available + 1 ambient + 0 committed
  Progressing=False RevisionRememberedAsFailed: see the condition Blocked
  Degraded=True RevisionRememberedAsFailed: revision <2> failed on node n1
  Blocked=True RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
