# A node joins between the two writes that move the ownership of unlabelled nodes: it gets both slots for a moment, and
# completion does not wait for it for ever.
nodes 2
quiet
pair 1
desired 2
until OwnershipMoved
aloud
fault JoinNode n3 n1
run
explain
conditions
wait 1h
run
----
! JoinNode n3 n1
+35s Completing
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+36s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+37s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (free)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+47s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+48s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+49s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+50s Steady complete
  n1 Done OnSource: served by the active slot
  n2 Done OnSource: served by the active slot
  n3 Done OnSource: served by the active slot
  Available=True WithinBudget: 3 eligible = 3 available + 0 ambient + 0 committed
  Progressing=False Reconciled: 3 of 3 nodes are served by the desired revision
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
+1h0m50s Steady complete
