package extendeddaemonset

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/agent-rollout/planner/model"
)

// Defaults of ExtendedDaemonSet, as its code has them.
const (
	creationBurst  = 250
	slowInterval   = time.Minute
	canaryDuration = 10 * time.Minute
	quietDuration  = 5 * time.Minute
	pauseRestarts  = int32(2)
	failRestarts   = int32(5)
)

// converter goes through an ExtendedDaemonSet and keeps what becomes of each field.
type converter struct {
	in     *Manifest
	fields []Mapping
}

func (c *converter) add(m Mapping) { c.fields = append(c.fields, m) }

// number is a setting that is an int or a percentage; a default is marked.
func (c *converter) number(is Likeness, name string, value *intstr.IntOrString, otherwise int32, becomes, note string) intstr.IntOrString {
	taken := intstr.FromInt32(otherwise)
	if value != nil {
		taken = *value
	}
	c.add(Mapping{Is: is, Field: name, Value: taken.String(), Default: value == nil, Becomes: becomes, Note: note})
	return taken
}

func (c *converter) duration(is Likeness, name string, value *metav1.Duration, otherwise time.Duration, becomes, note string) metav1.Duration {
	taken := metav1.Duration{Duration: otherwise}
	if value != nil {
		taken = *value
	}
	c.add(Mapping{Is: is, Field: name, Value: taken.Duration.String(), Default: value == nil, Becomes: becomes, Note: note})
	return taken
}

// owner is the ExtendedDaemonSet's own owner, if it has one: that outlives it.
func (c *converter) owner(r *model.Rollout) {
	set := c.in.set
	r.Metadata = model.Owner{Namespace: set.Namespace, Name: set.Name}
	note := "it has no owner of its own: give spec.desired and metadata the controller that is to own the DaemonSets"
	if ref := metav1.GetControllerOfNoCopy(set); ref != nil {
		r.Metadata.Name, r.Metadata.UID, r.Metadata.APIVersion, r.Metadata.Kind = ref.Name, ref.UID, ref.APIVersion, ref.Kind
		note = fmt.Sprintf("its owner, %s %s, becomes the owner of the two DaemonSets", ref.Kind, ref.Name)
	}
	c.add(Mapping{Is: Differs, Field: "metadata.ownerReferences", Becomes: "metadata", Note: note})
}

// template makes the DaemonSet.
func (c *converter) template(r *model.Rollout) {
	set := c.in.set
	desired := &appsv1.DaemonSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"},
		ObjectMeta: metav1.ObjectMeta{Namespace: set.Namespace, Name: set.Name, Labels: maps.Clone(set.Labels), OwnerReferences: controllersOf(set)},
		Spec:       appsv1.DaemonSetSpec{Template: *set.Spec.Template.DeepCopy()},
	}
	r.Spec.Desired = desired
	template := &desired.Spec.Template
	template.ObjectMeta = metav1.ObjectMeta{Labels: maps.Clone(template.Labels), Annotations: template.Annotations}
	c.add(Mapping{Is: Same, Field: "spec.template.spec", Becomes: "spec.desired.spec.template.spec"})
	c.templateLabels(desired)
	c.nodes(template)
}

func controllersOf(set *resource) []metav1.OwnerReference {
	if ref := metav1.GetControllerOf(set); ref != nil {
		return []metav1.OwnerReference{*ref}
	}
	return nil
}

// templateLabels gives the DaemonSet a selector of its own, by a label that ExtendedDaemonSet does not look for.
func (c *converter) templateLabels(desired *appsv1.DaemonSet) {
	labels := desired.Spec.Template.Labels
	if labels == nil {
		labels = map[string]string{}
		desired.Spec.Template.Labels = labels
	}
	const name = domain + "name"
	if value, ok := labels[name]; ok {
		delete(labels, name)
		c.add(Mapping{Is: None, Field: "spec.template.metadata.labels[" + name + "]", Value: value,
			Note: "left out: its controller takes every Pod with this label for its own"})
	}
	value, given := labels[model.DefaultSelectorLabel]
	if !given {
		value = desired.Name
		labels[model.DefaultSelectorLabel] = value
	}
	desired.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{model.DefaultSelectorLabel: value}}
	note := "the DaemonSet selects its Pods by it"
	if !given {
		note = "added: " + note
	}
	c.add(Mapping{Is: Differs, Field: "spec.template.metadata.labels[" + model.DefaultSelectorLabel + "]", Value: value, Default: !given,
		Becomes: "spec.desired.spec.selector", Note: note + "; ExtendedDaemonSet goes by the label " + name + " of its Pods"})
	c.add(Mapping{Is: Same, Field: "spec.template.metadata", Becomes: "spec.desired.spec.template.metadata"})
}

// nodes turns spec.selector into what it does: it selects nodes.
func (c *converter) nodes(template *corev1.PodTemplateSpec) {
	selector := c.in.set.Spec.Selector
	if selector == nil || len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		c.add(Mapping{Is: Same, Field: "spec.selector", Value: "all nodes", Default: selector == nil, Note: "the controller uses it to select nodes, whatever its documentation says"})
		return
	}
	c.add(Mapping{Is: Differs, Field: "spec.selector", Value: metav1.FormatLabelSelector(selector), Becomes: "spec.desired.spec.template.spec.affinity",
		Note: "documented as a selector of Pods, used as one of nodes: it becomes a required node affinity. If it names labels of Pods, no node has had a Pod, and it is to be left out"})
	var demands []corev1.NodeSelectorRequirement
	for _, key := range slices.Sorted(maps.Keys(selector.MatchLabels)) {
		demands = append(demands, corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{selector.MatchLabels[key]}})
	}
	for _, e := range selector.MatchExpressions {
		demands = append(demands, corev1.NodeSelectorRequirement{Key: e.Key, Operator: corev1.NodeSelectorOperator(e.Operator), Values: e.Values})
	}
	demandOfNodes(&template.Spec, demands)
}

// demandOfNodes adds the demands to every required term of the node affinity: terms are alternatives. A term without a condition matches no node,
// and stays so.
func demandOfNodes(pod *corev1.PodSpec, demands []corev1.NodeSelectorRequirement) {
	if pod.Affinity == nil {
		pod.Affinity = &corev1.Affinity{}
	}
	if pod.Affinity.NodeAffinity == nil {
		pod.Affinity.NodeAffinity = &corev1.NodeAffinity{}
	}
	a := pod.Affinity.NodeAffinity
	if a.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		a.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: demands}}}
		return
	}
	terms := a.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	for i := range terms {
		if term := &terms[i]; len(term.MatchExpressions)+len(term.MatchFields) > 0 {
			term.MatchExpressions = append(term.MatchExpressions, demands...)
		}
	}
}

// pacing maps the rolling update.
func (c *converter) pacing(r *model.Rollout) {
	const at, to = "spec.strategy.rollingUpdate.", "spec.strategy."
	s := &r.Spec.Strategy
	rolling := &c.in.set.Spec.Strategy.RollingUpdate
	s.Type, s.Overlap = model.Pair, model.Never
	limit := c.number(Differs, at+"maxUnavailable", rolling.MaxUnavailable, 1, to+"maxUnavailable",
		"both round a percentage up. Nodes that are unavailable already are charged here; there an old Pod that is not Ready costs nothing, and any Pod may be the next")
	if isNothing(&limit) {
		limit, s.Paused = intstr.FromInt32(1), true
		c.add(Mapping{Is: Differs, Field: at + "maxUnavailable", Value: "0", Becomes: to + "paused",
			Note: "0 means that no rolling update ever replaces a Pod: here that is paused, and a budget of 0 an error" + c.ofCanary("; there a canary is placed and promoted all the same, here it is not placed")})
	}
	s.MaxUnavailable = &limit
	failures := c.number(Differs, at+"maxPodSchedulerFailure", rolling.MaxPodSchedulerFailure, 0, "spec.failure.maxExceptions",
		"there so many Pods that are unscheduled for ten minutes or hang in deletion cost nothing; here the rollout ends without so many nodes where a proven target failed, which stay charged. What the target is not to blame for, a Node that is not Ready or a Pod that hangs, is never waited for")
	exempt := c.number(Differs, at+"maxPodSchedulerFailure", rolling.MaxPodSchedulerFailure, 0, to+"exemptUnhealthy",
		"so many nodes cost nothing whose Node is not Ready, or whose Pod is older than the target and not available")
	s.ExemptUnhealthy = &exempt
	if rolling.MaxPodSchedulerFailure != nil {
		r.Spec.Failure.MaxExceptions = &failures
	}
	writes := int32(creationBurst)
	if rolling.MaxParallelPodCreation != nil {
		writes = *rolling.MaxParallelPodCreation
	}
	s.MaxWrites = &writes
	c.add(Mapping{Is: Differs, Field: at + "maxParallelPodCreation", Value: strconv.Itoa(int(writes)), Default: rolling.MaxParallelPodCreation == nil,
		Becomes: to + "maxWrites", Note: "there Pods created in one turn; here requests of one plan. The DaemonSet controller creates the Pods, 250 at most in one turn"})
	ramp := "there it limits the Pods created in one turn, which may come again every turn; here the budget: min(maxUnavailable, (1 + ⌊elapsed/interval⌋) × increase), so that its first step lets increase nodes begin" +
		c.ofCanary(". It begins after the canary, here and there")
	s.SlowStart = &model.SlowStart{
		Interval: c.duration(Differs, at+"slowStartIntervalDuration", rolling.SlowStartIntervalDuration, slowInterval, to+"slowStart.interval", ramp),
		Increase: c.number(Differs, at+"slowStartAdditiveIncrease", rolling.SlowStartAdditiveIncrease, 1, to+"slowStart.increase",
			"as above. There a pause or a freeze restarts the ramp, here it does not"),
	}
	c.duration(None, "spec.strategy.reconcileFrequency", c.in.set.Spec.Strategy.ReconcileFrequency, 10*time.Second, "",
		"a plan is asked for when something that it depends on changes, or after its requeueAfter")
}

// ofCanary is what is said only where there is a canary.
func (c *converter) ofCanary(text string) string {
	if c.in.set.Spec.Strategy.Canary == nil {
		return ""
	}
	return text
}

// canary copies the block: fields and defaults are the same.
func (c *converter) canary(s *model.Strategy) error {
	const at = "spec.strategy.canary"
	canary := c.in.set.Spec.Strategy.Canary
	if canary == nil {
		c.add(Mapping{Is: Same, Field: at, Value: "no canary", Default: true})
		return nil
	}
	text, err := json.Marshal(canary)
	if err != nil {
		return err
	}
	s.Canary = &model.Canary{}
	if err := json.Unmarshal(text, s.Canary); err != nil {
		return err
	}
	c.add(Mapping{Is: Differs, Field: at, Becomes: at,
		Note: "there the clock alone promotes, though no Pod was ever Ready or even made, and its nodes are emptied all at once; here every node of the canary must be available, and they are emptied within the budget"})
	c.number(Differs, at+".replicas", canary.Replicas, 1, at+".replicas",
		"too few candidates: there no node is taken and the clock promotes all the same; here all that there are, and it waits for more, or for decision.canary: Promote. More replicas than nodes are all nodes")
	c.validation(canary, at)
	selector := Mapping{Is: Same, Field: at + ".nodeSelector", Value: selectorText(canary.NodeSelector), Default: canary.NodeSelector == nil, Becomes: at + ".nodeSelector"}
	if canary.NodeSelector != nil {
		selector.Is, selector.Note = Differs, "one that takes fewer nodes than replicas: there the clock promotes without a canary; here the rollout is blocked, and says so"
	}
	c.add(selector)
	c.add(Mapping{Is: Differs, Field: at + ".nodeAntiAffinityKeys", Value: orElse(strings.Join(canary.NodeAntiAffinityKeys, ","), "none"), Default: len(canary.NodeAntiAffinityKeys) == 0,
		Becomes: at + ".nodeAntiAffinityKeys", Note: "groups take turns here; there each has a quota, of which a node that does not fit uses up its part"})
	c.automatic(canary, at)
	return nil
}

// validation maps who promotes, and when.
func (c *converter) validation(canary *canary, at string) {
	mode := Mapping{Is: Same, Field: at + ".validationMode", Value: canary.ValidationMode, Becomes: at + ".validationMode"}
	if canary.ValidationMode == "" {
		mode.Is, mode.Value, mode.Default = Differs, "auto", true
		mode.Note = "there the operator's default, which its environment may set to manual (EDS_VALIDATION_MODE); here auto: write manual if it was that"
	}
	c.add(mode)
	if canary.ValidationMode == "manual" {
		return
	}
	c.duration(Differs, at+".duration", canary.Duration, canaryDuration, at+".duration",
		"there from when the revision was made; here from when the last node of the canary became available, and not while the rollout is paused or frozen")
	c.duration(Differs, at+".noRestartsDuration", canary.NoRestartsDuration, quietDuration, at+".noRestartsDuration",
		"not while the rollout is paused or frozen; there this clock runs on")
}

func (c *converter) automatic(canary *canary, at string) {
	pause, fail := orZero(canary.AutoPause), orZero(canary.AutoFail)
	c.switched(at+".autoPause", pause.Enabled, pause.MaxRestarts, pauseRestarts)
	c.optional(at+".autoPause.maxSlowStartDuration", pause.MaxSlowStartDuration)
	c.switched(at+".autoFail", fail.Enabled, fail.MaxRestarts, failRestarts)
	c.optional(at+".autoFail.maxRestartsDuration", fail.MaxRestartsDuration)
	c.optional(at+".autoFail.canaryTimeout", fail.CanaryTimeout)
	if last := &c.fields[len(c.fields)-1]; !last.Default {
		last.Is, last.Note = Differs, "there it is not looked at while the canary has no Pod; here always, but not while the rollout is paused or frozen"
	}
}

func orZero[T any](value *T) (taken T) {
	if value != nil {
		taken = *value
	}
	return taken
}

func (c *converter) switched(at string, enabled *bool, restarts *int32, otherwise int32) {
	on, limit := true, otherwise
	if enabled != nil {
		on = *enabled
	}
	if restarts != nil {
		limit = *restarts
	}
	c.add(Mapping{Is: Same, Field: at + ".enabled", Value: strconv.FormatBool(on), Default: enabled == nil, Becomes: at + ".enabled"})
	c.add(Mapping{Is: Same, Field: at + ".maxRestarts", Value: strconv.Itoa(int(limit)), Default: restarts == nil, Becomes: at + ".maxRestarts"})
}

func (c *converter) optional(at string, value *metav1.Duration) {
	m := Mapping{Is: Same, Field: at, Value: "none", Default: true, Becomes: at}
	if value != nil {
		m.Value, m.Default = value.Duration.String(), false
	}
	c.add(m)
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func selectorText(s *metav1.LabelSelector) string {
	if s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		return "all nodes"
	}
	return metav1.FormatLabelSelector(s)
}
