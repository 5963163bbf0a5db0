# n1 has no slot label and is tainted NoSchedule: Kubernetes keeps its Pod, as long as the slot takes unlabelled nodes. Before
# that ends with the rollout, the label names the slot: otherwise completion would take the agent from every such node.
nodes 2
quiet
pair 1
fault TaintNode n1 dedicated=gpu:NoSchedule
desired 2
until TargetProven
aloud
run
draw
explain
fault UntaintNode n1 dedicated
run
draw
----
! TaintNode n1 dedicated=gpu:NoSchedule
+24s Completing
  UpdateSlot agent-green OwnershipMoved
    n1 b1(ready) | n2:green g2(ready)
+25s Completing
  SetNodeSlot n1 LabelRepaired - → blue
    n1:blue b1(ready) | n2:green g2(ready)
+26s Completing
  UpdateSlot agent OwnershipMoved
    n1:blue b1(ready) | n2:green g2(ready)
+27s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:blue b1(ready) | n2:green g2(ready)
+28s Steady
  UpdateSlot agent SlotFollows
    n1:blue b1(ready) | n2:green g2(ready)
+29s Steady complete
    n1:blue b1(ready) | n2:green g2(ready)
  n1 Wait NodeLeaving: no longer eligible: left alone while a Pod is bound here
  n2 Done OnSource: served by the active slot
! UntaintNode n1 dedicated
+29s Repairing
  SetNodeSlot n1 BeginOverlap blue → blue-to-green
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready)
+30s Repairing
  RecordCandidate n1 CandidatePrepared
    n1:blue-to-green g2(waits) b1(ready) | n2:green g2(ready)
+31s Repairing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready)
+41s Steady complete
    n1:green g2(ready) | n2:green g2(ready)
