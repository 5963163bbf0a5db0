# A person removes the label of a node that the proven target serves: the source, which owns unlabelled nodes, takes it at
# once. It is unavailable for that moment, which is charged, and goes the whole way again.
nodes 3
quiet
pair 1
desired 2
until TargetProven
aloud
unlabel n1
steps 1
explain
ledger
run
----
! EditLabel n1 slot-
  n1 Wait WaitingForWindow: waiting for window: 2 nodes in overlap, 2 may be
  n2 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
  n3 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
  3 eligible = 2 available + 1 ambient + 0 committed
+34s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n1 BeginOverlap - → blue-to-green
    n1:blue-to-green b1(ready) g2(waits) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+35s Advancing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green b1(ready) g2(waits) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+44s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+54s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m4s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m5s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m6s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m7s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m8s Steady complete
