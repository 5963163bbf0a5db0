# Teardown half way through a rollout: both DaemonSets go with their Pods, then the nodes are cleared.
nodes 2
pair 1
desired 2
until TargetProven
set intent=Teardown
run
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
+24s TearingDown
  RecordIntent agent IntentRecorded
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready)
+25s TearingDown
  DeleteSlot agent RolloutTornDown
  DeleteSlot agent-green RolloutTornDown
    n1:green | n2:blue-to-green
+26s TearingDown
  ClearNode n1 RolloutTornDown
  ClearNode n2 RolloutTornDown
    n1 | n2
+27s TearingDown
  RecordIntent agent RolloutTornDown
    n1 | n2
+28s Gone complete
