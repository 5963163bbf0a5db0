# The source's DaemonSet is deleted while the target is not proven, and the target fails: there is no template to return
# to, so nothing is cancelled, and the plan asks for another revision.
nodes 3
quiet
pair 1
desired 2
image 2 NeverReady
until HandoffPrepared
kill-set agent Orphan
aloud
run
explain
desired 3
run
----
! KillSet agent Orphan
+14s Repairing
  CreateSlot agent SlotMissing
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+15s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m14s Held blocked: FailedAndHeld: the target failed on 1 node, first on n1, and nothing more may be admitted: the source's template was lost with its DaemonSet, so desire another revision, or repair those nodes
  n1 Block TargetFailed: the target failed here
  n2 Wait RolloutHeld: held: the target failed, and a decision is needed
  n3 Wait RolloutHeld: held: the target failed, and a decision is needed
+10m14s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m15s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue g2(starts) b2(waits) | n2:blue b1(ready) | n3:blue b1(ready)
+10m16s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue g2(starts) b2(waits) | n2:blue b1(ready) | n3:blue b1(ready)
+10m17s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+10m18s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+10m19s Preparing
  UpdateSlot agent-green NewRevision
    n1:blue b2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+10m20s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:blue b2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+10m21s Advancing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
  SetNodeSlot n2 BeginOverlap blue → blue-to-green
    n1:blue-to-green g3(waits) b2(starts) | n2:blue-to-green g3(waits) b1(ready) | n3:blue b1(ready)
+10m22s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g3(waits) b2(starts) | n2:blue-to-green g3(waits) b1(ready) | n3:blue b1(ready)
+10m23s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (free)
  SetNodeSlot n3 BeginOverlap blue → blue-to-green
    n1:green g3(ready) | n2:blue-to-green g3(waits) b1(ready) | n3:blue-to-green g3(waits) b1(ready)
+10m24s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g3(ready) | n2:blue-to-green g3(waits) b1(ready) | n3:blue-to-green g3(waits) b1(ready)
+10m33s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g3(ready) | n2:blue-to-green g3(waits) b1(ready) | n3:blue-to-green g3(waits) b1(ready)
+10m34s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g3(ready) | n2:green g3(ready) | n3:blue-to-green g3(waits) b1(ready)
+10m44s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+10m54s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+10m55s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+10m56s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+10m57s Steady
  UpdateSlot agent SlotFollows
    n1:green g3(ready) | n2:green g3(ready) | n3:green g3(ready)
+10m58s Steady complete
