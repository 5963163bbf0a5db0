# Two Pods cannot have one port on a node: nothing is begun.
set type=Surge
nodes 2
steady 1
desired 2
set template=host-port
run
explain
----
+10s Blocked blocked: TemplateRefused: the template cannot be rolled out as a surge: spec.template.spec.containers[0].ports[0].hostPort: Invalid value: 8126: two Pods cannot have this port on one node, so a surge is impossible: remove it, or use RollingUpdate
  n1 Block TemplateRefused: the rollout is blocked: the template cannot be rolled out as a surge: spec.template.spec.containers[0].ports[0].hostPort: Invalid value: 8126: two Pods cannot have this port on one node, so a surge is impossible: remove it, or use RollingUpdate
  n2 Block TemplateRefused: the rollout is blocked: the template cannot be rolled out as a surge: spec.template.spec.containers[0].ports[0].hostPort: Invalid value: 8126: two Pods cannot have this port on one node, so a surge is impossible: remove it, or use RollingUpdate
