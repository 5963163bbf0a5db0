# The same when the nodes are Ready and the targets are not: the revision is proven, so a failure past the deadline
# holds and asks. It does not take the proven nodes back, and goes on when they are well.
nodes 4
quiet
pair 1
desired 2
until TargetProven
image 2 NeverReady
aloud
unready n1 green
wait 11m
run
conditions
image 2 Good
run
----
! StopReadiness n1 agent-green-k2kbd agent
+11m24s Held blocked: FailedAndHeld: the target failed on 1 node, first on n1, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes, or raise spec.failure.maxExceptions
  Available=True WithinBudget: 4 eligible = 3 available + 0 ambient + 1 committed
  Progressing=False FailedAndHeld: see the condition Blocked
  Degraded=True TargetFailed: the target failed on 1 node, first on n1
  Blocked=True FailedAndHeld: the target failed on 1 node, first on n1, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes, or raise spec.failure.maxExceptions
+11m34s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n4 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+11m35s Advancing
  RecordCandidate n4 CandidatePrepared
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready) | n4:blue-to-green b1(ready) g2(waits)
+11m44s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:blue-to-green b1(ready) g2(waits)
+11m54s Advancing
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+12m4s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+12m5s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+12m6s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+12m7s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
+12m8s Steady complete
