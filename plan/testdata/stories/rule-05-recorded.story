# The cancel is recorded before its first move, and what Pods do later never reverses it. The executor dies between the
# two halves of the record, and the target gets well meanwhile: the nodes go home all the same.
nodes 3
image 2 NeverReady
quiet
pair 1
desired 2
until HandoffPrepared
aloud
wait 11m
crash-before 2
image 2 Good
restart second
run
----
+11m14s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun — not sent
  RecordCandidate n3 CandidatePrepared — not sent
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+11m15s Returning
  RecordState agent-green StateRepaired
  RecordCandidate n2 NodeFenced
  RecordCandidate n3 NodeFenced
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+11m16s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+11m17s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+11m18s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+11m19s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+11m20s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+11m28s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
