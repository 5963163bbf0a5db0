# Not exempt is a Pod that is younger than the recorded target: n3's source was killed during the rollout and does not
# come up. The rollout may be the cause, so it is charged, and the next paid handoff waits.
nodes 3
set exempt=1
quiet
pair 1
desired 2
until CandidatePrepared
image 1 NeverReady
aloud
kill-pod n3 blue
steps 3
explain
ledger
image 1 Good
run
----
! KillPod n3 agent-k2m5t
+13s Advancing blocked: BudgetSpent: 2 nodes wait for budget: 0 committed + 1 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n3 (ambient): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
  n1 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
  n2 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
  n3 Wait WaitingForWindow: waiting for window: 2 nodes in overlap, 2 may be
  3 eligible = 2 available + 1 ambient + 0 committed
+23s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready) g2(waits)
+24s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready) g2(waits)
+33s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready) g2(waits)
+34s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green b1(ready) g2(waits)
+44s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+54s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+55s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+56s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+57s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+58s Steady complete
