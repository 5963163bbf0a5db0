# n1 is off for good, with a wrapped Pod, and spends the conventional DaemonSet's budget: n2 and n3 keep their wrapped Pods, which serve. The
# opt-out ends past the deadline and names all three; the native controller replaces the Pods when n1 is back.
nodes 3
deployed 1
until WrapperInstalled
settle
wait 30s
fault LoseNode n1
set intent=OptOut
run
conditions
fault MendNode n1
run
----
+0s Arming
  RecordState agent WriteNoted
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
+10s Arming
  UpdateSlot agent WrapperInstalled
    n1 b1(ready) | n2 b1(ready) | n3 b1(ready)
! LoseNode n1
+40s OptingOut
  UpdateSlot agent HandedBack
    n1! b1(starts-ends) | n2 b1(ready) | n3 b1(ready)
+10m40s OptingOut
  RecordState agent HandedBack
    n1! b1(starts-ends) | n2 b1(ready) | n3 b1(ready)
+10m41s Gone complete
  Available=True WithinBudget: 3 eligible = 2 available + 1 ambient + 0 committed
  Progressing=False Reconciled: the rollout has left, but for what is left on 3 nodes (n1 first), which ends by itself once the lost Nodes are Ready again, or are removed
  Degraded=True CompleteExcept: 2 nodes are set aside: n2 (WaitingForBudget: Pod agent-qcdz7 is still wrapped: the native rolling update replaces it once a Node that is lost is Ready again, or is removed), n3 (WaitingForBudget: Pod agent-5xzdd is still wrapped: the native rolling update replaces it once a Node that is lost is Ready again, or is removed). They are tried again when something changes on them
  Blocked=False AsExpected: 
! MendNode n1
+10m41s Gone complete
