# A decision to go back takes proven nodes home one by one: overlap, prepared source, paid handoff. Written at once, the
# label blue on three nodes would leave all three without an agent until their sources have started.
nodes 5
quiet
pair 1
desired 2
until TargetProven
steps 6
image 2 NeverReady
run
aloud
draw
set recover=Back
run
----
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(starts) | n5:blue-to-green b1(ready) g2(waits)
+10m44s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(starts) | n5:blue-to-green b1(ready) g2(waits)
+10m45s Returning
  SetNodeSlot n5 TakeBack blue-to-green → blue
  SetNodeSlot n4 BeginOverlap green → green-to-blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green-to-blue g2(starts) b1(waits) | n5:blue b1(ready)
+10m46s Returning
  RecordCandidate n4 CandidatePrepared
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green-to-blue g2(starts) b1(waits) | n5:blue b1(ready)
+10m47s Returning
  SetNodeSlot n4 HandoffPrepared green-to-blue → blue (free)
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:green g2(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+10m48s Returning
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:green g2(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+10m57s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
  SetNodeSlot n3 BeginOverlap green → green-to-blue
    n1:blue b1(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:green-to-blue b1(waits) g2(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+10m58s Returning
  RecordCandidate n3 CandidatePrepared
    n1:blue b1(ready) | n2:green-to-blue g2(ready) b1(waits) | n3:green-to-blue b1(waits) g2(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+11m7s Returning
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:green-to-blue b1(waits) g2(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+11m17s Returning
  SetNodeSlot n3 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+11m18s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+11m19s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready) | n4:blue b1(ready) | n5:blue b1(ready)
+11m27s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n4 and is not tried again: desire another revision, or set spec.decision.retry to <2>
