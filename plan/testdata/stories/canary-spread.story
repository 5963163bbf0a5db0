# Four nodes over two zones, of which one has a single node: what that cannot give, the other one does.
nodes 6
zone a n1 n2 n3 n4 n5
zone b n6
set canary.replicas=4 maxUnavailable=4 canary.duration=1m canary.spread=topology.kubernetes.io/zone
pair 1
desired 2
until CanaryValidated
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready) | n6 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready) | n5 b1(ready) | n6 b1(ready)
+12s Canary
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
  SetNodeSlot n6 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4 b1(ready) | n5 b1(ready) | n6:blue-to-green g2(waits) b1(ready)
+13s Canary
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
  RecordCandidate n6 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4 b1(ready) | n5 b1(ready) | n6:blue-to-green g2(waits) b1(ready)
+14s Canary
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n6 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4 b1(ready) | n5 b1(ready) | n6:green g2(ready)
+24s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4 b1(ready) | n5 b1(ready) | n6:green g2(ready)
+1m24s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4 b1(ready) | n5 b1(ready) | n6:green g2(ready)
