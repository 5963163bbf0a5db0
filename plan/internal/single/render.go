package single

import (
	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Rendering is what a rollout on one DaemonSet makes of the conventional one.
type Rendering struct {
	// Revision identifies the prepared template; empty for that of a DaemonSet that is taken over as it is.
	Revision string
	// Conventional is the DaemonSet that it was made from.
	Conventional *appsv1.DaemonSet
	prepared     *appsv1.DaemonSet
}

// Set returns a copy of the DaemonSet as it is written. It belongs to the caller.
func (r *Rendering) Set() *appsv1.DaemonSet { return r.prepared.DeepCopy() }

// ownMarks are the annotations that the planner writes on the template, and the pair's.
func ownMarks(keys *model.Keys) []string {
	return []string{keys.Revision, keys.Schema, keys.Mode, keys.Armed, keys.Disable}
}

// prepare renders the desired DaemonSet. One that is made from the deployed one and says what its template says has that
// one's revision: what the API server filled in is no new revision. The error is a *step.RefusedError.
func (v *view) prepare(base *appsv1.DaemonSet) (*Rendering, error) {
	r := &Rendering{Conventional: base, prepared: base.DeepCopy()}
	set := r.prepared
	step.StripServerFields(set)
	template := &set.Spec.Template
	for _, key := range append(ownMarks(&v.keys), v.rollout.Spec.Slots.TemplateHashAnnotations...) {
		delete(template.Annotations, key)
	}
	if faults := v.makeSurge(set); len(faults) > 0 {
		return nil, &step.RefusedError{Faults: faults, As: "a surge"}
	}
	revision, err := v.revisionOf(template)
	if err != nil {
		return nil, err
	}
	r.Revision = revision
	annotate(&template.Annotations, v.keys.Revision, revision)
	annotate(&set.Annotations, v.keys.Revision, revision)
	annotate(&set.Annotations, v.keys.Mode, v.mode())
	set.Spec.UpdateStrategy = v.strategyFor(!v.surges())
	return r, nil
}

func annotate(notes *map[string]string, key, value string) {
	if *notes == nil {
		*notes = map[string]string{}
	}
	(*notes)[key] = value
}

func (v *view) revisionOf(template *corev1.PodTemplateSpec) (string, error) {
	if live := v.live.set; v.rollout.Spec.DesiredFrom != nil && v.live.revision != "" && !step.Restarted(v.cluster, live, v.keys.Revision) {
		bare := live.Spec.Template.DeepCopy()
		delete(bare.Annotations, v.keys.Revision)
		if step.Covers(bare, template) && step.Covers(template, bare) {
			return v.live.revision, nil
		}
	}
	return step.RevisionOf(template)
}

// adopted is the rendering as the deployed template has it, where that was never written by a planner, says the same already, and all its Pods are of
// it: it keeps the revision that its Pods have, which is none, and nothing is rolled. An edit of the template, as a restart by hand is, leaves
// Pods of another generation, and is a new revision.
func (v *view) adopted(r *Rendering) *Rendering {
	live := v.live.set
	if live == nil || v.live.revision != "" || v.rollout.Spec.Intent != model.Run || !v.ofOneTemplate() {
		return r
	}
	kept := &Rendering{Conventional: r.Conventional, prepared: r.Set()}
	present, wanted := live.Spec.Template.DeepCopy(), &kept.prepared.Spec.Template
	delete(kept.prepared.Annotations, v.keys.Revision)
	delete(wanted.Annotations, v.keys.Revision)
	for _, key := range v.rollout.Spec.Slots.TemplateHashAnnotations {
		delete(present.Annotations, key)
	}
	if !step.SameTemplate(present, wanted) {
		return r
	}
	return kept
}

// ofOneTemplate tells whether all Pods were made from the DaemonSet's present template: by its generation, which the API server counts and the
// controller writes on the Pods; where it is not known, by the controller's hash and the images.
func (v *view) ofOneTemplate() bool {
	generation, hash, one := v.live.set.Annotations[appsv1.DeprecatedTemplateGeneration], "", true
	step.EachPod(v.cluster, v.live.set, func(_ *corev1.Node, pod *corev1.Pod) {
		if hash == "" {
			hash = pod.Labels[appsv1.ControllerRevisionHashLabelKey]
		}
		switch {
		case pod.Annotations[v.keys.Revision] != "":
			one = false
		case generation != "":
			one = one && pod.Labels[model.PodTemplateGeneration] == generation
		default:
			one = one && pod.Labels[appsv1.ControllerRevisionHashLabelKey] == hash && step.RunsImages(pod, &v.live.set.Spec.Template)
		}
	})
	return one
}

// unmarked is the live DaemonSet without what the planner has written on it. A wrapper stays: wrapping it again changes
// nothing.
func (v *view) unmarked() *appsv1.DaemonSet {
	base := v.live.set.DeepCopy()
	for _, key := range ownMarks(&v.keys) {
		delete(base.Spec.Template.Annotations, key)
	}
	for _, key := range v.keys.OnSingle() {
		delete(base.Annotations, key)
	}
	step.StripServerFields(base)
	return base
}

// makeSurge changes what a Pod that stands beside another needs, and refuses what cannot be changed. The native controller
// takes a Pod for available after minReadySeconds: that has to be as long as the plan takes it to be.
func (v *view) makeSurge(set *appsv1.DaemonSet) field.ErrorList {
	if !v.surges() {
		return nil
	}
	set.Spec.MinReadySeconds = max(set.Spec.MinReadySeconds, *v.strategy.SettleSeconds)
	spec, faults := lockspec.Resolve(v.rollout.Spec.Lock, field.NewPath("spec", "lock"))
	if len(faults) > 0 {
		return faults
	}
	if v.locked() {
		wrapped, err := lockspec.Wrap(set.Spec.Template, spec)
		if err != nil {
			return step.RefusalsOf(err)
		}
		set.Spec.Template = wrapped
		annotate(&set.Spec.Template.Annotations, v.keys.Schema, model.SchemaPair)
		return refuseSurge(set)
	}
	narrowed, ok, faults := lockspec.Narrow(set.Spec.Template, spec, field.NewPath("spec", "template"))
	if ok {
		set.Spec.Template = narrowed
	}
	if len(faults) > 0 {
		return faults
	}
	return refuseSurge(set)
}

// refuseSurge lists what keeps a second Pod of the template off a node, whatever room there is.
func refuseSurge(set *appsv1.DaemonSet) (faults field.ErrorList) {
	at := field.NewPath("spec", "template", "spec")
	pod := &set.Spec.Template.Spec
	for i := range pod.Containers {
		faults = append(faults, refusePorts(pod, &pod.Containers[i], at.Child("containers").Index(i))...)
	}
	for i := range pod.InitContainers {
		if policy := pod.InitContainers[i].RestartPolicy; policy != nil && *policy == corev1.ContainerRestartPolicyAlways {
			faults = append(faults, refusePorts(pod, &pod.InitContainers[i], at.Child("initContainers").Index(i))...)
		}
	}
	self := step.NextPod(set)
	if why := capacity.Apart(self, self); why != "" {
		faults = append(faults, field.Forbidden(at.Child("affinity", "podAntiAffinity"),
			why+", matches the DaemonSet's own Pods, so that no second one is ever scheduled beside the first: only the agent's own broad form can be narrowed. Remove it, or use RollingUpdate"))
	}
	return faults
}

func refusePorts(pod *corev1.PodSpec, c *corev1.Container, at *field.Path) (faults field.ErrorList) {
	for i, port := range c.Ports {
		at := at.Child("ports").Index(i)
		switch {
		case port.HostPort != 0:
			faults = append(faults, field.Invalid(at.Child("hostPort"), port.HostPort, "two Pods cannot have this port on one node, so a surge is impossible: remove it, or use RollingUpdate"))
		case pod.HostNetwork && port.ContainerPort != 0:
			faults = append(faults, field.Invalid(at.Child("containerPort"), port.ContainerPort, "under hostNetwork a declared port is a host port, and two Pods cannot have it on one node: remove the declaration, or use RollingUpdate"))
		}
	}
	return faults
}

// strategyFor is the native strategy for a template that is rolled delete-first, or as a surge.
func (v *view) strategyFor(deleteFirst bool) appsv1.DaemonSetUpdateStrategy {
	if deleteFirst {
		return appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
	}
	surge, none := *v.strategy.MaxUnavailable, intstr.FromInt32(0)
	if v.strategy.MaxSurge != nil {
		surge = *v.strategy.MaxSurge
	}
	return appsv1.DaemonSetUpdateStrategy{
		Type:          appsv1.RollingUpdateDaemonSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxSurge: &surge, MaxUnavailable: &none},
	}
}

// sameStrategy compares what the controller does: fields that are left out have the API's defaults.
func sameStrategy(a, b *appsv1.DaemonSetUpdateStrategy) bool {
	if a.Type != b.Type || a.Type == appsv1.OnDeleteDaemonSetStrategyType {
		return a.Type == b.Type
	}
	surgeA, unavailableA := rolling(a)
	surgeB, unavailableB := rolling(b)
	return surgeA == surgeB && unavailableA == unavailableB
}

func rolling(s *appsv1.DaemonSetUpdateStrategy) (surge, unavailable string) {
	surge, unavailable = "0", "1"
	if r := s.RollingUpdate; r != nil && r.MaxSurge != nil {
		surge = r.MaxSurge.String()
	}
	if r := s.RollingUpdate; r != nil && r.MaxUnavailable != nil {
		unavailable = r.MaxUnavailable.String()
	}
	return surge, unavailable
}
