# A node that comes home from a bad revision is not exempt from the next one's budget, although its Pod is then older than
# the recorded target: a row of bad revisions would cost a node more each. The next target is recorded once it is available.
nodes 2
set exempt=1
quiet
pair 1
image 2 NeverReady
image 3 NeverReady
desired 2
until HandoffPrepared
image 1 NeverReady
desired 3
until ReturnComplete
aloud
steps 2
draw
conditions
image 1 Good
settle
until HandoffPrepared
image 3 Good
run
draw
----
+18s Preparing
  UpdateSlot agent-green NewRevision
    n1:blue b1(starts) | n2:blue b1(ready)
    n1:blue b1(starts) | n2:blue b1(ready)
  Available=True WithinBudget: 2 eligible = 1 available + 1 ambient + 0 committed
  Progressing=True RolloutUnderWay: Preparing: 0 of 2 nodes updated, 0 in overlap; 1 node came home and not available yet: none may be exempt from the budget of the next revision
  Degraded=False AsExpected: 
  Blocked=False AsExpected: 
+10m17s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1:blue b1(ready) | n2:blue b1(ready)
+10m18s Advancing
  SetNodeSlot n2 BeginOverlap blue → blue-to-green
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
    n1:blue-to-green b1(ready) g3(waits) | n2:blue-to-green g3(waits) b1(ready)
+10m19s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green b1(ready) g3(waits) | n2:blue-to-green g3(waits) b1(ready)
+10m20s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (free)
    n1:green g3(starts) | n2:blue-to-green g3(waits) b1(ready)
+10m30s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g3(ready) | n2:blue-to-green g3(waits) b1(ready)
+10m31s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g3(ready) | n2:green g3(ready)
+10m41s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready)
+10m42s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g3(ready) | n2:green g3(ready)
+10m43s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g3(ready) | n2:green g3(ready)
+10m44s Steady
  UpdateSlot agent SlotFollows
    n1:green g3(ready) | n2:green g3(ready)
+10m45s Steady complete
    n1:green g3(ready) | n2:green g3(ready)
