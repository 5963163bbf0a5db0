# Caches lag: the handoff of n1 was sent and does not show. It is charged as issued and n1 gets no further move, so the
# plans that follow spend nothing twice. The Nodes show first, then the Pods: each adds only what it shows.
nodes 3
quiet
pair 1
desired 2
until CandidatePrepared
aloud
lag on
steps 2
explain
ledger
deliver Node
steps 1
explain
ledger
lag off
run
----
+13s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+14s Advancing rests
  n1 Wait ActionIssued: an action was sent, and its effect does not show yet
  n2 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1
  n3 Wait ActionIssued: an action was sent, and its effect does not show yet
  3 eligible = 2 available + 0 ambient + 1 committed
  n1 Wait SourceExiting: the source's Pod is going away
  n2 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1
  n3 Wait TargetCreating: the target's Pod is not there yet
  3 eligible = 2 available + 0 ambient + 1 committed
+10m13s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m14s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m24s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m34s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m35s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m36s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m37s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m38s Steady complete
