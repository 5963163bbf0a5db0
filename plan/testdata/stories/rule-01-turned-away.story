# What a node's label turns away counts as gone, though its Pod is still Ready. Here the DaemonSet controller is slow
# after the first handoff: if n1's old Pod still counted, n2 would be handed over too, and two nodes would go dark at once.
nodes 3
quiet
pair 1
desired 2
until CandidatePrepared
aloud
stall on
steps 2
draw
explain
ledger
stall off
run
----
+13s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready)
    n1:green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green b1(ready)
  n1 Wait SourceExiting: the source's Pod is going away
  n2 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1
  n3 Wait TargetCreating: the target's Pod is not there yet
  3 eligible = 2 available + 0 ambient + 1 committed
+10m13s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m24s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m34s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m44s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m45s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m46s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m47s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+10m48s Steady complete
