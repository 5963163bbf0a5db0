# Opting out while the rollout holds: no decision is waited for; everything goes home, then the pair is taken apart.
# Revision 1 is desired again, so that the conventional DaemonSet does not begin with the failed one.
nodes 3
quiet
pair 1
desired 2
until TargetProven
image 2 NeverReady
run
aloud
desired 1
set intent=OptOut
run
----
+10m24s Returning
  RecordState agent ReturnBegun
  RecordState agent-green ReturnBegun
    n1:green g2(ready) | n2:green g2(starts) | n3:blue-to-green g2(waits) b1(ready)
+10m25s Returning
  SetNodeSlot n3 TakeBack blue-to-green → blue
  SetNodeSlot n2 BeginOverlap green → green-to-blue
  SetNodeSlot n1 BeginOverlap green → green-to-blue
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(starts) b1(waits) | n3:blue b1(ready)
+10m26s Returning
  RecordCandidate n2 CandidatePrepared
  RecordCandidate n1 CandidatePrepared
    n1:green-to-blue b1(waits) g2(ready) | n2:green-to-blue g2(starts) b1(waits) | n3:blue b1(ready)
+10m27s Returning
  SetNodeSlot n2 HandoffPrepared green-to-blue → blue (free)
    n1:green-to-blue b1(waits) g2(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m37s Returning
  SetNodeSlot n1 HandoffPrepared green-to-blue → blue (paid)
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m38s Returning
  RecordState agent ReturnComplete
  RecordState agent-green ReturnComplete
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m39s OptingOut
  DeleteSlot agent-green HandedBack
    n1:blue b1(ready) | n2:blue b1(ready) | n3:blue b1(ready)
+10m40s OptingOut
  ClearNode n1 HandedBack
  ClearNode n2 HandedBack
  ClearNode n3 HandedBack
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+10m41s OptingOut
  UpdateSlot agent HandedBack
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+10m42s OptingOut
  RecordState agent HandedBack
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+10m43s Gone complete
