# Only one of three nodes has the selector's label: the canary of two takes it, and is never promoted by itself.
nodes 3
set canary.replicas=2 canary.selector=canary:yes
mark n2 canary=yes
pair 1
desired 2
run
explain
conditions
mark n3 canary=yes
run
----
! EditLabel n2 canary=yes
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+12s Canary
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1 b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+13s Canary
  RecordCandidate n2 CandidatePrepared
    n1 b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3 b1(ready)
+14s Canary
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1 b1(ready) | n2:green g2(ready) | n3 b1(ready)
+24s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1 b1(ready) | n2:green g2(ready) | n3 b1(ready)
+25s Canary blocked: CanaryNodesMissing: the canary is 1 of 2 available, 1 placed, its time begins once all of its nodes are available. It misses 1 node, and no eligible Ready node is left that canary.nodeSelector takes and the target fits: add or repair nodes, lower canary.replicas, or set spec.decision to {revision: <2>, canary: Promote}
  n1 Wait WaitingForCanary: waiting for the canary: 1 of 2 available, 1 placed, its time begins once all of its nodes are available
  n2 Done OnTarget: served by the target
  n3 Wait WaitingForCanary: waiting for the canary: 1 of 2 available, 1 placed, its time begins once all of its nodes are available
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False CanaryNodesMissing: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True CanaryNodesMissing: the canary is 1 of 2 available, 1 placed, its time begins once all of its nodes are available. It misses 1 node, and no eligible Ready node is left that canary.nodeSelector takes and the target fits: add or repair nodes, lower canary.replicas, or set spec.decision to {revision: <2>, canary: Promote}
! EditLabel n3 canary=yes
+25s Canary
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1 b1(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+26s Canary
  RecordCandidate n3 CandidatePrepared
    n1 b1(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+27s Canary
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1 b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m37s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1 b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m38s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m39s Advancing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m40s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m50s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m51s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m52s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m53s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m54s Steady complete
