# Opt-out from green: hand back to blue, then one conventional DaemonSet.
nodes 2
pair 1
desired 2
run
set intent=OptOut
run
conditions
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready)
+12s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+13s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:blue-to-green g2(waits) b1(ready)
+14s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+24s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready)
+35s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+36s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+37s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+38s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready)
+39s Steady complete
+39s Preparing
  UpdateSlot agent NewRevision
    n1:green g2(ready) | n2:green g2(ready)
+40s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:green g2(ready) | n2:green g2(ready)
+41s Advancing
  SetNodeSlot n1 BeginOverlap green → green-to-blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
    n1:green-to-blue b2(waits) g2(ready) | n2:green-to-blue g2(ready) b2(waits)
+42s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:green-to-blue b2(waits) g2(ready) | n2:green-to-blue g2(ready) b2(waits)
+43s Advancing
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b2(ready) | n2:green-to-blue g2(ready) b2(waits)
+53s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue b2(ready) | n2:green-to-blue g2(ready) b2(waits)
+54s Advancing
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b2(ready) | n2:blue b2(ready)
+1m4s Completing
  UpdateSlot agent OwnershipMoved
    n1:blue b2(ready) | n2:blue b2(ready)
+1m5s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:blue b2(ready) | n2:blue b2(ready)
+1m6s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:blue b2(ready) | n2:blue b2(ready)
+1m7s OptingOut
  DeleteSlot agent-green HandedBack
    n1:blue b2(ready) | n2:blue b2(ready)
+1m8s OptingOut
  ClearNode n1 HandedBack
  ClearNode n2 HandedBack
    n1 b2(ready) | n2 b2(ready)
+1m9s OptingOut
  UpdateSlot agent HandedBack
    n1 b2(ready) | n2 b2(ready)
+1m10s OptingOut
  RecordState agent HandedBack
    n1 b2(ready) | n2 b2(ready)
+1m11s Gone complete
  Available=False UnavailableAboveBudget: 2 eligible = 0 available + 2 ambient + 0 committed; maxUnavailable is 1
  Progressing=False Reconciled: nothing of the rollout is left
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
