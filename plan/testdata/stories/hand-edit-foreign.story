# Somebody writes a value that means nothing: one repair.
nodes 2
pair 1
label n1 purple
run
----
! EditLabel n1 slot=purple
+10s Repairing
  SetNodeSlot n1 LabelRepaired purple → blue
    n1:blue b1(ready) | n2 b1(ready)
+20s Steady complete
