# A node that stops being eligible keeps its label while a Pod is bound there. n1 is tainted NoSchedule in overlap:
# Kubernetes keeps both its Pods. Clearing the label would kill the one that waits, and a handoff the one that serves.
nodes 3
quiet
pair 1
desired 2
until CandidatePrepared
aloud
fault TaintNode n1 dedicated=gpu:NoSchedule
run
draw
explain
fault UntaintNode n1 dedicated
run
----
! TaintNode n1 dedicated=gpu:NoSchedule
+13s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
  SetNodeSlot n3 BeginOverlap - → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+14s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+24s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+34s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+35s Completing
  UpdateSlot agent OwnershipMoved
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+36s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+37s Steady
  UpdateSlot agent SlotFollows
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
+38s Steady complete
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready) | n3:green g2(ready)
  n1 Wait NodeLeaving: no longer eligible: left alone while a Pod is bound here
  n2 Done OnSource: served by the active slot
  n3 Done OnSource: served by the active slot
! UntaintNode n1 dedicated
+38s Repairing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+48s Steady complete
