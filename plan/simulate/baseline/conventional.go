package baseline

import (
	"errors"
	"path"
	"reflect"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
)

// Conventional returns the desired DaemonSet as one that knows of no pair: without slot, marks and lock wrapper. A
// desired DaemonSet that is given whole is that already. One that is made from the deployed DaemonSet of a pair has
// lost what the wrapper replaced, which cannot be read back: startup probes, liveness thresholds, and under
// hostNetwork the declared ports.
//
// The error is that of plan.Render but for the template's fitness for a pair, which does not matter here.
func Conventional(snapshot *model.Snapshot) (*appsv1.DaemonSet, error) {
	bare := *snapshot.Rollout
	bare.Spec.Strategy = model.Strategy{Type: model.Pair, Overlap: model.Never}
	bare.Spec.Slots.Green.Env = nil
	rendering, err := plan.Render(&model.Snapshot{Cluster: snapshot.Cluster, Rollout: &bare})
	for _, label := range selectorLabels(snapshot) {
		if !refused(err) {
			break
		}
		bare.Spec.Slots.SelectorLabel = label
		rendering, err = plan.Render(&model.Snapshot{Cluster: snapshot.Cluster, Rollout: &bare})
	}
	if err != nil {
		return nil, err
	}
	set := rendering.Conventional
	if spec, faults := lockspec.Resolve(bare.WithDefaults().Spec.Lock, field.NewPath("spec", "lock")); len(faults) == 0 {
		unwrap(&set.Spec.Template.Spec, &spec)
	}
	dropEmptyAffinity(&set.Spec.Template.Spec)
	return set, nil
}

// kept is a rendering of a DaemonSet that is desired whole: it is made of nothing but the document without its facts.
type kept[T any] struct {
	of    *model.Rollout
	value T
}

// get makes the value, unless the document says what it said.
func (k *kept[T]) get(r *model.Rollout, make func() (T, error)) (T, error) {
	if k.of != nil && reflect.DeepEqual(&k.of.Spec, &r.Spec) && reflect.DeepEqual(&k.of.Metadata, &r.Metadata) {
		return k.value, nil
	}
	value, err := make()
	if err == nil && r.Spec.Desired != nil {
		k.of, k.value = r, value
	}
	return value, err
}

func refused(err error) bool {
	var refusal *plan.RefusedError
	return errors.As(err, &refusal)
}

// selectorLabels are the labels by which the two slots of a pair could differ: which one is of no matter here, and
// that there is one decides only whether there can be a pair.
func selectorLabels(snapshot *model.Snapshot) (labels []string) {
	set := snapshot.Rollout.Spec.Desired
	if set == nil && snapshot.Rollout.Spec.DesiredFrom != nil {
		set = snapshot.Cluster.DaemonSet(snapshot.Rollout.Metadata.Namespace, snapshot.Rollout.WithDefaults().Spec.DesiredFrom.Name)
	}
	if set == nil || set.Spec.Selector == nil {
		return nil
	}
	for label := range set.Spec.Selector.MatchLabels {
		labels = append(labels, label)
	}
	slices.Sort(labels)
	return labels
}

// unwrap takes off what lockspec.Wrap has put on. Of a template that is not wrapped by this specification as a whole
// it changes nothing.
func unwrap(pod *corev1.PodSpec, spec *model.LockSpec) {
	wrapping, whole := lockspec.Inspect(pod)
	if !whole || wrapping.HostDirectory != spec.HostDirectory {
		return
	}
	names := []string{spec.Volumes.Host, spec.Volumes.State, spec.Volumes.Tools}
	for i := range pod.Containers {
		c := &pod.Containers[i]
		const words = 4 // TOOL HOSTLOCK TOOL ACTIVELOCK
		if len(c.Command) <= words || c.Command[0] != path.Join(spec.ToolsDirectory, path.Base(spec.Tool)) {
			continue
		}
		c.Command, c.StartupProbe = c.Command[words:], nil
		c.VolumeMounts = slices.DeleteFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return slices.Contains(names, m.Name) })
	}
	pod.InitContainers = slices.DeleteFunc(pod.InitContainers, func(c corev1.Container) bool { return c.Name == spec.InitContainer })
	pod.Volumes = slices.DeleteFunc(pod.Volumes, func(v corev1.Volume) bool { return slices.Contains(names, v.Name) })
}

// dropEmptyAffinity removes the shells that are left when a slot's terms are taken out.
func dropEmptyAffinity(pod *corev1.PodSpec) {
	a := pod.Affinity
	if a == nil {
		return
	}
	if n := a.NodeAffinity; n != nil && n.RequiredDuringSchedulingIgnoredDuringExecution == nil && len(n.PreferredDuringSchedulingIgnoredDuringExecution) == 0 {
		a.NodeAffinity = nil
	}
	if a.NodeAffinity == nil && a.PodAffinity == nil && a.PodAntiAffinity == nil {
		pod.Affinity = nil
	}
}
