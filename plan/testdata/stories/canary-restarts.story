# The nodes whose agent has restarted least are chosen.
nodes 3
set canary.replicas=1 canary.duration=1m
pair 1
crash n1 blue agent
settle
crash n3 blue agent
settle
wait 1m
desired 2
until CanaryValidated
----
! Crash n1 agent-lqlw7 agent
! Crash n3 agent-k2m5t agent
+1m10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+1m12s Canary
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1 b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+1m13s Canary
  RecordCandidate n2 CandidatePrepared
    n1 b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+1m14s Canary
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1 b1(ready) | n2:green g2(ready) | n3 b1(ready)
+1m24s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1 b1(ready) | n2:green g2(ready) | n3 b1(ready)
+2m24s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1 b1(ready) | n2:green g2(ready) | n3 b1(ready)
