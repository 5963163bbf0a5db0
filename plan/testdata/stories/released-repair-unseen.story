# Overlap Never: a person relabels n1 right after the target was admitted there, and the cache does not show the target's Pod yet. The label is
# repaired after settleSeconds, when the Pod is seen, or has never been there.
set overlap=Never
nodes 2
quiet
pair 1
desired 2
aloud
until ReleaseSource
lag on
steps 1
label n1 green-to-blue
deliver Node
steps 1
explain
lag off
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
  SetNodeSlot n1 ReleaseSource - → released-to-green (paid)
    n1:released-to-green | n2 b1(ready)
+12s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2 b1(ready)
! EditLabel n1 slot=green-to-blue
  n1 Wait WaitingForPodsToEnd: waiting for the Pods of the other slot to end: a Pod that was made before the label changed may not be seen yet
  n2 Wait WaitingForBudget: waiting for budget: 0 committed + 1 ambient ≥ 1
+22s Advancing
  SetNodeSlot n1 LabelRepaired green-to-blue → blue
    n1:blue b1(ready) | n2 b1(ready)
+23s Advancing
  SetNodeSlot n1 ReleaseSource blue → released-to-green (free)
    n1:released-to-green | n2 b1(ready)
+33s Advancing
  SetNodeSlot n1 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2 b1(ready)
+43s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2 b1(ready)
+44s Advancing
  SetNodeSlot n2 ReleaseSource - → released-to-green (paid)
    n1:green g2(ready) | n2:released-to-green
+45s Advancing
  SetNodeSlot n2 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready)
+55s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+56s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready)
+57s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready)
+58s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready)
+59s Steady complete
