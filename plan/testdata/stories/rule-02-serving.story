# Only a node whose exact target serves already moves without a seat: n1 is lost after its handoff and spends the
# budget, n2's source crashes and its target takes over and stays; the label follows, since it takes nothing away.
nodes 3
quiet
pair 1
desired 2
until HandoffPrepared
steps 1
aloud
fault LoseNode n1
crash n2 blue agent
crash n2 blue trace-agent
settle
wait 15s
draw
steps 1
ledger
run
fault MendNode n1
run
----
! LoseNode n1
! Crash n2 agent-s89wq agent
! Crash n2 agent-s89wq trace-agent
    n1!:green g2(starts) | n2:blue-to-green g2(ready) b1(waits) | n3:blue-to-green g2(waits) b1(ready)
+30s Advancing
  SetNodeSlot n2 HandoffServing blue-to-green → green
    n1!:green g2(starts) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
  3 eligible = 2 available + 0 ambient + 1 committed
+31s Advancing
  RecordState agent TargetProven
  RecordState agent-green TargetProven
    n1!:green g2(starts) | n2:green g2(ready) | n3:blue-to-green g2(waits) b1(ready)
+32s Advancing blocked: BudgetSpent: 1 node waits for budget: 0 committed + 1 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n1 (ambient, its Node is not Ready): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
! MendNode n1
+42s Advancing
  SetNodeSlot n3 HandoffPrepared blue-to-green → green (paid)
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+52s Completing
  UpdateSlot agent-green OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+53s Completing
  UpdateSlot agent OwnershipMoved
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+54s Completing
  RecordState agent RolloutComplete
  RecordState agent-green RolloutComplete
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+55s Steady
  UpdateSlot agent SlotFollows
    n1:green g2(ready) | n2:green g2(ready) | n3:green g2(ready)
+56s Steady complete
