# It ends as the conventional DaemonSet, which replaces the wrapped Pods without a surge.
set type=Surge overlap=Locked
nodes 2
steady 1
set intent=OptOut
run
----
+10s OptingOut
  UpdateSlot agent HandedBack
    n1 b1(ready) | n2 b1(ready)
+11s OptingOut
  RecordState agent HandedBack
    n1 b1(ready) | n2 b1(ready)
+12s Gone complete
