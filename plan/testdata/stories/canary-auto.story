# Two nodes prove revision 2 for ten minutes; the others follow by themselves.
nodes 4
set maxUnavailable=2 canary.replicas=50%
pair 1
desired 2
until HandoffPrepared
steps 3
explain
conditions
run
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready) | n4 b1(ready)
+12s Canary
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+13s Canary
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready) | n4 b1(ready)
+14s Canary
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready) | n4 b1(ready)
+24s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready) | n4 b1(ready)
  n1 Done OnTarget: served by the target
  n2 Done OnTarget: served by the target
  n3 Wait WaitingForCanary: waiting for the canary: 2 of 2 available, ends in 9m59s at the earliest
  n4 Wait WaitingForCanary: waiting for the canary: 2 of 2 available, ends in 9m59s at the earliest
  Available=True WithinBudget: 4 eligible = 4 available + 0 ambient + 0 committed
  Progressing=True CanaryUnderWay: Canary: 2 of 4 nodes updated, 0 in overlap; the canary is 2 of 2 available, ends in 9m59s at the earliest
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
+10m24s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready) | n4 b1(ready)
+10m25s Advancing
  SetNodeSlot n3 BeginOverlap - → blue-to-green
  SetNodeSlot n4 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+10m26s Advancing
  RecordCandidate n3 CandidatePrepared
  RecordCandidate n4 CandidatePrepared
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+10m27s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+10m37s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+10m38s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+10m39s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+10m40s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+10m41s Steady complete
