# One restart condemns nothing, and neither does a dead node: n1's target restarts once, n2's node is off for an hour
# right after its handoff. The rollout waits and ends.
nodes 3
quiet
pair 1
desired 2
until HandoffPrepared
aloud
crash n1 green agent
until HandoffPrepared
fault LoseNode n2
wait 1h
run
conditions
fault MendNode n2
run
----
! Crash n1 agent-green-k2kbd agent
+14s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
! LoseNode n2
+1h0m25s Advancing blocked: BudgetSpent: 1 node waits for budget: 0 committed + 1 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n2 (ambient, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
  Available=True WithinBudget: 3 eligible = 2 available + 1 ambient + 0 committed
  Progressing=False BudgetSpent: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True BudgetSpent: 1 node waits for budget: 0 committed + 1 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n2 (ambient, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
! MendNode n2
+1h0m35s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1h0m45s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1h0m46s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1h0m47s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1h0m48s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1h0m49s Steady complete
