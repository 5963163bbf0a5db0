# Dead nodes are not prepared and take no place in the window. They fill half of this cluster: the others roll, their
# labels follow last at no cost, and completion does not wait for them.
nodes 4
set exempt=2 maxSurge=1
quiet
pair 1
fault LoseNode n1
fault LoseNode n3
desired 2
aloud
run
conditions
ledger
fault MendNode n1
fault MendNode n3
run
draw
----
! LoseNode n1
! LoseNode n3
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1! b1(starts) | n2 b1(ready) | n3! b1(starts) | n4 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1! b1(starts) | n2 b1(ready) | n3! b1(starts) | n4 b1(ready)
+12s Advancing
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1! b1(starts) | n2:blue-to-green g2(waits) b1(ready) | n3! b1(starts) | n4 b1(ready)
+13s Advancing
  RecordCandidate n2 CandidatePrepared
    n1! b1(starts) | n2:blue-to-green g2(waits) b1(ready) | n3! b1(starts) | n4 b1(ready)
+14s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n4 BeginOverlap - → blue-to-green
    n1! b1(starts) | n2:green g2(ready) | n3! b1(starts) | n4:blue-to-green b1(ready) g2(waits)
+15s Advancing
  RecordCandidate n4 CandidatePrepared
    n1! b1(starts) | n2:green g2(ready) | n3! b1(starts) | n4:blue-to-green b1(ready) g2(waits)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1! b1(starts) | n2:green g2(ready) | n3! b1(starts) | n4:blue-to-green b1(ready) g2(waits)
+25s Advancing
  SetNodeSlot n4 HandoffPrepared blue-to-green → green (paid)
    n1! b1(starts) | n2:green g2(ready) | n3! b1(starts) | n4:green g2(ready)
+35s Advancing
  SetNodeSlot n1 DeadNodeMoved - → green
  SetNodeSlot n3 DeadNodeMoved - → green
    n1!:green b1(starts-ends) | n2:green g2(ready) | n3!:green b1(starts-ends) | n4:green g2(ready)
+36s Completing
  UpdateSlot agent-green OwnershipMoved
    n1!:green b1(starts-ends) | n2:green g2(ready) | n3!:green b1(starts-ends) | n4:green g2(ready)
+37s Completing
  UpdateSlot agent OwnershipMoved
    n1!:green b1(starts-ends) | n2:green g2(ready) | n3!:green b1(starts-ends) | n4:green g2(ready)
+38s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1!:green b1(starts-ends) | n2:green g2(ready) | n3!:green b1(starts-ends) | n4:green g2(ready)
+39s Steady
  UpdateSlot agent SlotFollows
    n1!:green b1(starts-ends) | n2:green g2(ready) | n3!:green b1(starts-ends) | n4:green g2(ready)
+40s Steady complete
  Available=True WithinBudget: 4 eligible = 2 available + 2 ambient + 0 committed (2 exempt)
  Progressing=False Reconciled: 2 of 4 nodes are served by the desired revision, 2 are set aside
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
  4 eligible = 2 available + 2 ambient + 0 committed (2 exempt)
! MendNode n1
! MendNode n3
+50s Steady complete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready) | n4:green g2(ready)
