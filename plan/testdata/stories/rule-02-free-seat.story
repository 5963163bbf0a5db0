# Every handoff takes a seat, that of a node without an agent too. n1's target hangs, then n2's source breaks: were n2
# handed over for nothing, a second node would be spent on a revision that nobody has proven.
nodes 3
image 2 NeverReady
quiet
pair 1
desired 2
until HandoffPrepared
image 1 NeverReady
aloud
unready n2 blue
steps 1
explain
ledger
image 1 Good
run
----
! StopReadiness n2 agent-s89wq agent
+14s Advancing
  RecordCandidate n3 CandidatePrepared
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(starts) | n3:blue-to-green g2(waits) b1(ready)
  n1 Wait TargetStarting: the target is starting
  n2 Wait WaitingForBudget: waiting for budget: 1 committed + 1 ambient ≥ 1
  n3 Action CandidatePrepared: the target is prepared: its UID is recorded before the handoff
  3 eligible = 1 available + 1 ambient + 1 committed
+10m14s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(starts) | n2:blue-to-green g2(waits) b1(ready) | n3:blue-to-green g2(waits) b1(ready)
+10m15s Returning
  SetNodeSlot n2 TakeBack blue-to-green → blue
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+10m16s Returning
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(starts) | n2:blue b1(ready) | n3:blue b1(ready)
+10m17s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (free)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m18s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m19s Steady
  UpdateSlot agent-green SlotFollows
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m27s Steady blocked: RevisionRememberedAsFailed: revision <2> failed on node n1 and is not tried again: desire another revision, or set spec.decision.retry to <2>
