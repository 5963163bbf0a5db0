# Somebody deletes the target's DaemonSet and leaves its Pods: they hold or await locks without an owner. It is made
# anew with its recorded revision, adopts them, and the rollout goes on.
nodes 3
quiet
pair 1
desired 2
until TargetProven
aloud
kill-set agent-green Orphan
settle
draw
run
----
! KillSet agent-green Orphan
    n1:green o2(ready) | n2:blue-to-green o2(waits) b1(ready) | n3:blue-to-green o2(waits) b1(ready)
+24s Repairing
  CreateSlot agent-green SlotMissing
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+25s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+35s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+45s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+46s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+47s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+48s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+49s Steady complete
