# A node that dies after its handoff to an unproven target is on the rollout's account, exemption or not: an agent that
# breaks its nodes would otherwise be carried from one to the next.
nodes 3
set exempt=2
quiet
pair 1
desired 2
until HandoffPrepared
aloud
fault BreakNode n1
wait 30m
run
explain
ledger
fault MendNode n1
run
----
! BreakNode n1
+30m14s Advancing
  RecordCandidate n3 CandidatePrepared
    n1!:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+30m15s Advancing blocked: BudgetSpent: 2 nodes wait for budget: 1 committed + 0 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n1 (committed, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
  n1 Wait NodeNotReady: the Node is not Ready: it is left for last
  n2 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1
  n3 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1
  3 eligible = 2 available + 0 ambient + 1 committed
! MendNode n1
+30m25s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+30m26s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+30m36s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+30m46s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+30m47s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+30m48s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+30m49s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+30m50s Steady complete
