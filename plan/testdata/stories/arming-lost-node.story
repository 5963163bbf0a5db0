# n3 was lost before the wrapper came: its old Pod, which holds no lock, is shown as terminating. Its label follows last, as released.
nodes 3
set maxUnavailable=2
deployed 1
settle
wait 30s
fault LoseNode n3
run
desired 2
run
fault MendNode n3
run
----
! LoseNode n3
+30s Arming
  UpdateSlot agent WrapperInstalled
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
+40s Arming
  UpdateSlot agent PairArmed
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
+41s Arming
  CreateSlot agent-green PairArmed
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
+42s Steady complete
+42s Preparing
  UpdateSlot agent-green NewRevision
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
+43s Preparing
  RecordState agent TargetRecorded
  RecordState agent-green TargetRecorded
    n1 b1(ready) | n2 b1(ready) | n3! b1(starts-ends)
+44s Advancing
  SetNodeSlot n1 BeginOverlap - → blue-to-green
  SetNodeSlot n2 BeginOverlap - → blue-to-green
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3! b1(starts-ends)
+45s Advancing
  RecordCandidate n1 CandidatePrepared
  RecordCandidate n2 CandidatePrepared
    n1:blue-to-green b1(ready) g2(waits) | n2:blue-to-green g2(waits) b1(ready) | n3! b1(starts-ends)
+46s Advancing
  SetNodeSlot n1 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3! b1(starts-ends)
+56s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1:green g2(ready) | n2:blue-to-green g2(waits) b1(ready) | n3! b1(starts-ends)
+57s Advancing
  SetNodeSlot n2 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3! b1(starts-ends)
+1m7s Advancing
  SetNodeSlot n3 DeadNodeMoved - → released-to-green
    n1:green g2(ready) | n2:green g2(ready) | n3!:released-to-green b1(starts-ends)
+1m8s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3!:released-to-green b1(starts-ends)
+1m9s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3!:released-to-green b1(starts-ends)
+1m10s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3!:released-to-green b1(starts-ends)
+1m11s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3!:released-to-green b1(starts-ends)
+1m12s Steady complete
! MendNode n3
+1m12s Repairing
  SetNodeSlot n3 AdmitTarget released-to-green → green
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+1m22s Steady complete
