# Another container set has no common locks: blocked, until it may roll without overlap. Then back to locks.
nodes 2
pair 1
desired 2
set template=component
run
explain
set overlap=Never
run
set overlap=Locked
run
----
+10s Blocked blocked: ComponentsChanged: DifferentComponents: container "process-agent": nothing and "process-agent": roll the change of the component set out without overlap. Or roll this revision without overlap: set spec.strategy.overlap to Never
  n1 Block ComponentsChanged: the rollout is blocked: DifferentComponents: container "process-agent": nothing and "process-agent": roll the change of the component set out without overlap. Or roll this revision without overlap: set spec.strategy.overlap to Never
  n2 Block ComponentsChanged: the rollout is blocked: DifferentComponents: container "process-agent": nothing and "process-agent": roll the change of the component set out without overlap. Or roll this revision without overlap: set spec.strategy.overlap to Never
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready)
+12s Advancing
  SetNodeSlot n1 ReleaseSource - → released-to-green (paid)
    n1:released-to-green | n2 b1(ready)
+13s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2 b1(ready)
+23s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2 b1(ready)
+24s Advancing
  SetNodeSlot n2 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:released-to-green
+25s Advancing
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready)
+35s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+36s Completing
  UpdateSlot agent-green OwnershipMoved
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
  SetNodeSlot n1 ReleaseSource green → released-to-blue (paid)
    n1:released-to-blue | n2:green g2(ready)
+42s Advancing
  SetNodeSlot n1 AdmitTarget released-to-blue → blue
    n1:blue b2(ready) | n2:green g2(ready)
+52s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:blue b2(ready) | n2:green g2(ready)
+53s Advancing
  SetNodeSlot n2 ReleaseSource green → released-to-blue (paid)
    n1:blue b2(ready) | n2:released-to-blue
+54s Advancing
  SetNodeSlot n2 AdmitTarget released-to-blue → blue
    n1:blue b2(ready) | n2:blue b2(ready)
+1m4s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:blue b2(ready) | n2:blue b2(ready)
+1m5s Completing
  UpdateSlot agent OwnershipMoved
    n1:blue b2(ready) | n2:blue b2(ready)
+1m6s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:blue b2(ready) | n2:blue b2(ready)
+1m7s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b2(ready) | n2:blue b2(ready)
+1m8s Steady complete
