# A template with a lifecycle hook cannot be protected: nothing moves, and the serving Pods stay.
nodes 2
pair 1
desired 2
set template=hook
run
conditions
----
+10s Blocked blocked: TemplateRefused: the template cannot be rolled out as a pair: spec.template.spec.containers[0].lifecycle.preStop: Forbidden: a hook runs without the lock, beside the other generation: move its work into the component
  Available=True WithinBudget: 2 eligible = 2 available + 0 ambient + 0 committed
  Progressing=False TemplateRefused: see the condition Blocked
  Degraded=False AsExpected: 
  Blocked=True TemplateRefused: the template cannot be rolled out as a pair: spec.template.spec.containers[0].lifecycle.preStop: Forbidden: a hook runs without the lock, beside the other generation: move its work into the component
