# No node is labelled away from the only Pod that serves it. The cancelled target serves n1 after all when the way home
# begins: n1 enters overlap, its source prepares behind the locks, and only then is n1 handed back, as a paid handoff.
nodes 3
image 2 NeverReady
quiet
pair 1
desired 2
until HandoffPrepared
until ReturnBegun
image 2 Good
settle
wait 15s
aloud
draw
run
----
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m29s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m30s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m31s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m32s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m33s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m41s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
