package lockspec_test

import (
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/lockspec"
)

func Example() {
	spec, _ := lockspec.Preset("datadog")
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{HostPID: true, Containers: []corev1.Container{
		{Name: "agent", Image: "agent:7.81.1", Command: []string{"agent", "run"}},
	}}}
	wrapped, err := lockspec.Wrap(template, spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Join(wrapped.Spec.Containers[0].Command, "\n"))
	fmt.Println(lockspec.MayOverlap(&wrapped.Spec, &wrapped.Spec))
	fmt.Println(lockspec.MayOverlap(&wrapped.Spec, &template.Spec))
	// Output:
	// /opt/datadog-agent-rollout/s6-setlock
	// /var/run/datadog-agent-rollout/agent.lock
	// /opt/datadog-agent-rollout/s6-setlock
	// /var/run/datadog-agent-rollout-state/agent.active.lock
	// agent
	// run
	// <nil>
	// NotWrapped: container "agent": nothing and "the command does not begin with TOOL HOSTLOCK TOOL ACTIVELOCK": roll the wrapped template out conventionally first, and keep webhooks from adding containers to these Pods
}

// All faults of a template come at once, each with its field.
func ExampleRefusedError() {
	spec, _ := lockspec.Preset("datadog")
	_, err := lockspec.Wrap(corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{
		{Name: "agent", Image: "agent:7.81.1", Lifecycle: &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{}}},
		{Name: "proxy", Image: "proxy:1", Command: []string{"proxy"}},
	}}}, spec)
	var refused *lockspec.RefusedError
	if errors.As(err, &refused) {
		for _, fault := range refused.Faults {
			fmt.Println(fault.Field)
		}
	}
	// Output:
	// spec.template.spec.containers[0].command
	// spec.template.spec.containers[0].lifecycle.preStop
	// spec.template.spec.containers[1].name
}
