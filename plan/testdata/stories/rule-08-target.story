# n2 has no room for two agents: its target is Pending when the rollout is cancelled. The DaemonSet controller leaves an
# unbound Pod in place, so the plan deletes it: else the scheduler binds it to n2 some day, where it does not belong.
nodes 3
full n2 1500m
set maxSurge=1
image 2 NeverReady
quiet
pair 1
desired 2
until HandoffPrepared
aloud
draw
run
----
    n1:green g2(starts) | n2:blue-to-green g2(pending) b1(ready) | n3 b1(ready)
+10m14s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(starts) | n2:blue-to-green g2(pending) b1(ready) | n3 b1(ready)
+10m15s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(starts) | n2:blue g2(pending) b1(ready) | n3 b1(ready)
+10m16s Returning
  RecordCandidate n1 CandidatePrepared
  DeletePod agent-green-84m9d UnboundTurnedAway
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready) | n3 b1(ready)
+10m17s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3 b1(ready)
+10m18s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3 b1(ready)
+10m19s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3 b1(ready)
+10m27s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
