# The Agent's own broad anti-affinity is narrowed, delete-first, before the first surge. Any other one is refused.
set type=Surge
nodes 2
desired 1
set template=broad
deployed-desired
settle
run
draw
desired 2
set template=broad
run
desired 3
set template=alone
run
----
+0s Preparing
  UpdateSlot agent DaemonSetAdopted
    n1 b1(ready) | n2 b1(ready)
+1s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready)
+10s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-lqlw7 StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready)
+20s Advancing
  RecordState agent TargetProven
    n1 b1(ready) | n2 b1(ready)
+21s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-s89wq StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready)
+31s Completing
  RecordState agent RolloutComplete
    n1 b1(ready) | n2 b1(ready)
+32s Steady
  UpdateSlot agent SurgeEnabled
    n1 b1(ready) | n2 b1(ready)
+33s Steady complete
    n1 b1(ready) | n2 b1(ready)
+33s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) b2(ready) | n2 b1(ready)
+43s Advancing
  RecordState agent TargetProven
    n1 b2(ready) | n2 b2(ready) b1(ready)
+54s Completing
  RecordState agent RolloutComplete
    n1 b2(ready) | n2 b2(ready)
+55s Steady complete
+55s Blocked blocked: TemplateRefused: the template cannot be rolled out as a surge: spec.template.spec.affinity.podAntiAffinity: Forbidden: required anti-affinity over kubernetes.io/hostname, one in (each), matches the DaemonSet's own Pods, so that no second one is ever scheduled beside the first: only the agent's own broad form can be narrowed. Remove it, or use RollingUpdate
