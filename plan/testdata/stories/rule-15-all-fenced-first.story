# Every overlapping node is fenced, and seen so, before the first handoff, though one plan may write only two objects: a
# late request for n3 would otherwise land beside the handoff of n1.
nodes 3
set maxSurge=3
restart first
quiet
pair 1
desired 2
until CandidatePrepared
set maxWrites=2
aloud
restart second
steps 3
explain
----
+13s Advancing
  RecordCandidate n1 NodeFenced
  RecordCandidate n2 NodeFenced
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+14s Advancing
  RecordCandidate n3 NodeFenced
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+15s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
  n1 Action HandoffPrepared: handoff: the source exits and the prepared target gets the locks (paid)
  n2 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1, 1 of them by this plan
  n3 Wait WaitingForBudget: waiting for budget: 1 committed + 0 ambient ≥ 1, 1 of them by this plan
