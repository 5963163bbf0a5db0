# n2 is dead and eats the whole budget: nothing moves, and the plan says who spends it.
nodes 3
pair 1
fault BreakNode n2
desired 2
run
explain
----
! BreakNode n2
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2! b1(starts) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2! b1(starts) | n3 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2! b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+13s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n3 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2! b1(starts) | n3:blue-to-green g2(waits) b1(ready)
+14s Advancing blocked: BudgetSpent: 2 nodes wait for budget: 0 committed + 1 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n2 (ambient, its Node is not Ready): repair or remove what spends it, raise spec.strategy.maxUnavailable, or set spec.strategy.exemptUnhealthy above 0
  n1 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
  n2 Wait NodeNotReady: the Node is not Ready: it is left for last
  n3 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
