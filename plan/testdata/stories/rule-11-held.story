# A proven target fails and the rollout holds for a decision. A newer revision is a decision too: the nodes go home, and
# the new revision follows. Waiting for an answer to a question that nobody asks any more would hold it for ever.
nodes 3
quiet
pair 1
desired 2
until TargetProven
image 2 NeverReady
run
aloud
conditions
desired 3
run
----
  Available=True WithinBudget: 3 eligible = 2 available + 0 ambient + 1 committed
  Progressing=False FailedAndHeld: see the condition Blocked
  Degraded=True TargetFailed: the target failed on 1 node, first on n2
  Blocked=True FailedAndHeld: the target failed on 1 node, first on n2, and nothing more may be admitted: set spec.decision to {revision: <2>, recover: Forward} or Back, or repair those nodes, or raise spec.failure.maxExceptions
+10m24s Advancing blocked: BudgetSpent: 1 node waits for budget: 1 committed + 0 ambient − 0 exempt ≥ maxUnavailable 1. It is spent by n2 (committed): repair or remove what spends it, or raise spec.strategy.maxUnavailable (exemptUnhealthy covers no node that is in flight or was handed over)
