# It ends as the conventional DaemonSet with its own strategy.
set type=RollingUpdate
nodes 3
steady 1
set intent=OptOut
run
----
+10s OptingOut
  UpdateSlot agent HandedBack
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+11s OptingOut
  RecordState agent HandedBack
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+12s Gone complete
