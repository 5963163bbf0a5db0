# Without overlap the canary's nodes are released one by one within the budget, and keep their revision.
nodes 3
set overlap=Never canary.replicas=2 canary.duration=1m
pair 1
desired 2
run
----
+10s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+12s Canary
  SetNodeSlot n1 ReleaseSource - → released-to-green (paid)
    n1:released-to-green | n2 b1(ready) | n3 b1(ready)
+13s Canary
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+23s Canary
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2 b1(ready) | n3 b1(ready)
+24s Canary
  SetNodeSlot n2 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:released-to-green | n3 b1(ready)
+25s Canary
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready)
+1m35s Canary
  RecordState agent CanaryValidated
  RecordState agent-green CanaryValidated
    n1:green g2(ready) | n2:green g2(ready) | n3 b1(ready)
+1m36s Advancing
  SetNodeSlot n3 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:released-to-green
+1m37s Advancing
  SetNodeSlot n3 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m47s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m48s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m49s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m50s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m51s Steady complete
