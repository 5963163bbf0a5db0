# The first two nodes by name cannot pull: the others prove the revision, which is not condemned for those two.
nodes 4
quiet
pair 1
desired 2
fault BreakPulls n1
fault BreakPulls n2
aloud
run
----
! BreakPulls n1
! BreakPulls n2
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(starts) b1(ready) | n2:blue-to-green g2(starts) b1(ready) | n3 b1(ready) | n4 b1(ready)
+13s Advancing
  SetNodeSlot n3 BeginOverlap - → blue-to-green
  SetNodeSlot n4 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(starts) b1(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+14s Advancing
  RecordCandidate n3 CandidatePrepared
  RecordCandidate n4 CandidatePrepared
    n1:blue-to-green g2(starts) b1(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+15s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:blue-to-green g2(starts) b1(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+25s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue-to-green g2(starts) b1(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+26s Advancing
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1:blue-to-green g2(starts) b1(ready) | n2:blue-to-green g2(starts) b1(ready) | n3:green g2(ready) | n4:green g2(ready)
+10m12s Held blocked: FailedAndHeld: the target failed on 2 nodes, first on n1, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes, or raise spec.failure.maxExceptions
