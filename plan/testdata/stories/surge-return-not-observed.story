set type=Surge overlap=Locked maxUnavailable=1
nodes 2
steady 1
desired 2
until NewRevision
settle
draw
desired 1
stall on
steps 3
draw
explain
stall off
run
----
+10s Preparing
  UpdateSlot agent NewRevision
    n1 b2(waits) b1(ready) | n2 b1(ready)
    n1 b2(waits) b1(ready) | n2 b1(ready)
+10s Preparing
  UpdateSlot agent ReturnBegun
    n1 b2(waits) b1(ready) | n2 b1(ready)
+10m10s Returning blocked: ControllerRests: the DaemonSet controller has not seen generation 3 of DaemonSet agent for 10m0s: look whether kube-controller-manager runs, and what it logs of it
    n1 b2(waits) b1(ready) | n2 b1(ready)
  n1 Wait SlotNotObserved: waiting for the DaemonSet controller to see the DaemonSet's new spec
  n2 Done OnSource: served by the DaemonSet
+10m10s Returning
  RecordState agent ReturnComplete
    n1 b1(ready) | n2 b1(ready)
+10m11s Steady complete
