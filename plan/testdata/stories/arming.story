# A conventional DaemonSet is armed with the images that run, then rolls to the new ones as a pair.
nodes 3
deployed 1
settle
desired 2
run
----
+0s Arming
  RecordState agent WriteNoted
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+10s Arming
  UpdateSlot agent WrapperInstalled
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+20s Arming
  UpdateSlot agent PairArmed
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+21s Arming
  CreateSlot agent-green PairArmed
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+22s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+23s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+24s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+25s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+26s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready) g2(waits)
+27s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready) g2(waits)
+36s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready) g2(waits)
+37s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green b1(ready) g2(waits)
+47s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+57s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+58s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+59s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m0s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m1s Steady complete
