# All nodes are labelled for an unproven target by hand. They are on the account and nothing is done to them until the
# target fails; then they come home by overlap and handoff, no more at a time than the window holds.
nodes 4
image 2 NeverReady
quiet
pair 1
desired 2
until CandidatePrepared
aloud
label n1,n2,n3,n4 green
steps 1
explain
ledger
run
----
! EditLabel n1 slot=green
! EditLabel n2 slot=green
! EditLabel n3 slot=green
! EditLabel n4 slot=green
  n1 Wait TargetStarting: the target is starting
  n2 Wait TargetStarting: the target is starting
  n3 Wait TargetStarting: the target is starting
  n4 Wait TargetStarting: the target is starting
  4 eligible = 0 available + 0 ambient + 4 committed
+10m13s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(starts) | n2:green g2(starts) | n3:green g2(starts) | n4:green g2(starts)
+10m14s Returning
  SetNodeSlot n1 BeginOverlap green → green-to-blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(starts) | n2:green-to-blue g2(starts) b1(waits) | n3:green g2(starts) | n4:green g2(starts)
+10m15s Returning
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b1(waits) g2(starts) | n2:green-to-blue g2(starts) b1(waits) | n3:green g2(starts) | n4:green g2(starts)
+10m16s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
  SetNodeSlot n3 BeginOverlap green → green-to-blue
    n1:blue b1(ready) | n2:green-to-blue g2(starts) b1(waits) | n3:green-to-blue b1(waits) g2(starts) | n4:green g2(starts)
+10m17s Returning
  RecordCandidate n3 CandidatePrepared
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (free)
  SetNodeSlot n4 BeginOverlap green → green-to-blue
    n1:blue b1(ready) | n2:blue b1(ready) | n3:green-to-blue b1(waits) g2(starts) | n4:green-to-blue g2(starts) b1(waits)
+10m18s Returning
  RecordCandidate n4 CandidatePrepared
  SetNodeSlot n3 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:green-to-blue g2(starts) b1(waits)
+10m19s Returning
  SetNodeSlot n4 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready)
+10m20s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready)
+10m21s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready)
+10m29s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
