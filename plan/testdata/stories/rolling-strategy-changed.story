# What a pair has on nodes and DaemonSets ends by its own opt-out, and so the other way round.
nodes 2
pair 1
set type=RollingUpdate overlap=
run
set type=Pair overlap=Locked intent=OptOut
run
set type=RollingUpdate overlap= intent=Run
run
set type=Pair overlap=Locked
run
set type=Surge
run
----
+10s Blocked blocked: StrategyChanged: DaemonSet agent carries the marks of a pair, and the strategy is RollingUpdate: end the pair first (spec.strategy.type Pair with spec.intent OptOut), then run with the new strategy
+10s OptingOut
  DeleteSlot agent-green HandedBack
    n1 b1(ready) | n2 b1(ready)
+11s OptingOut
  UpdateSlot agent HandedBack
    n1 b1(ready) | n2 b1(ready)
+12s OptingOut
  RecordState agent HandedBack
    n1 b1(ready) | n2 b1(ready)
+13s Gone complete
+13s Preparing
  UpdateSlot agent DaemonSetAdopted
    n1 b1(ready) | n2 b1(ready)
+21s Steady complete
+21s Blocked blocked: StrategyChanged: DaemonSet agent carries the mark rolling-update-v1 of a rollout on one DaemonSet, and the strategy is Pair: end that one first (its strategy with spec.intent OptOut), then run with the new strategy
+21s Preparing
  UpdateSlot agent DaemonSetAdopted
    n1 b1(ready) | n2 b1(ready)
+22s Preparing
  UpdateSlot agent NewRevision
    n1 b1(ready) | n2 b1(ready)
+23s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-8gw8v StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready)
+33s Advancing
  RecordState agent TargetProven
    n1 b1(ready) | n2 b1(ready)
+34s Advancing
  RecordState agent EmptiedNoted
  DeletePod agent-qcdz7 StaleRevision (paid)
    n1 b1(ready) | n2 b1(ready)
+44s Completing
  RecordState agent RolloutComplete
    n1 b1(ready) | n2 b1(ready)
+45s Steady
  UpdateSlot agent SurgeEnabled
    n1 b1(ready) | n2 b1(ready)
+46s Steady complete
