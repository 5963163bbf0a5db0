# Nodes that revision 2 is too big for, or that others fill, are not chosen, and do not make the canary smaller.
nodes 4
small n1 900m
full n2 1500m
set canary.replicas=2
pair 1
desired 2
set template=big
until TargetProven
steps 2
explain
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+12s Canary
  SetNodeSlot n3 BeginOverlap - → blue-to-green
  SetNodeSlot n4 BeginOverlap - → blue-to-green
    n1 b1(ready) | n2 b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+13s Canary
  RecordCandidate n3 CandidatePrepared
  RecordCandidate n4 CandidatePrepared
    n1 b1(ready) | n2 b1(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+14s Canary
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1 b1(ready) | n2 b1(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+24s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1 b1(ready) | n2 b1(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+24s Canary
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1 b1(ready) | n2 b1(ready) | n3:green g2(ready) | n4:green g2(ready)
  n1 Wait WaitingForCanary: waiting for the canary: 1 of 2 available, its time begins once all of its nodes are available
  n2 Wait WaitingForCanary: waiting for the canary: 1 of 2 available, its time begins once all of its nodes are available
  n3 Done OnTarget: served by the target
  n4 Wait TargetSettling: the target is Ready and must stay so for a while
