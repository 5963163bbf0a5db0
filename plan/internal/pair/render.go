package pair

import (
	"slices"
	"strings"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan/internal/step"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Rendering is what the pair makes of one conventional DaemonSet.
type Rendering struct {
	// Revision identifies the prepared template.
	Revision string
	// Conventional is the DaemonSet that it was made from.
	Conventional *appsv1.DaemonSet
	// prepared has the wrapped, annotated template under blue's names, before the slots' own parts.
	prepared *appsv1.DaemonSet
	settings model.SlotSettings
	keys     model.Keys
}

// Render prepares the template of a conventional DaemonSet and derives its revision. disable marks the
// revision that hands back to blue for opt-out. The error is a *step.RefusedError with every refusal, or a
// field.ErrorList of the lock settings.
func Render(rollout *model.Rollout, desired *appsv1.DaemonSet, disable bool) (*Rendering, error) {
	r, err := prepare(rollout, desired, disable)
	if err != nil {
		return nil, err
	}
	revision, err := step.RevisionOf(r.Template())
	if err != nil {
		return nil, err
	}
	r.identify(revision)
	return r, nil
}

// prepare renders without a revision.
func prepare(rollout *model.Rollout, desired *appsv1.DaemonSet, disable bool) (*Rendering, error) {
	settings := slotSettings(rollout, nil)
	keys := model.NewKeys(settings.Domain, rollout.Metadata.Namespace, rollout.Metadata.Name)
	r := &Rendering{Conventional: desired, settings: settings, keys: keys, prepared: desired.DeepCopy()}
	template := &r.prepared.Spec.Template
	for _, key := range append([]string{keys.Revision, keys.Disable}, settings.TemplateHashAnnotations...) {
		delete(template.Annotations, key)
	}
	faults := refuseSlots(desired, settings, keys)
	wrapped, more := r.wrap(rollout, *template)
	if faults = append(faults, more...); len(faults) > 0 {
		return nil, &step.RefusedError{Faults: faults, As: "a pair"}
	}
	*template = wrapped
	r.annotate(rollout.Spec.Strategy.Overlap, disable)
	return r, nil
}

// identify gives the rendering its revision.
func (r *Rendering) identify(revision string) {
	r.Revision = revision
	r.prepared.Spec.Template.Annotations[r.keys.Revision] = revision
}

func (r *Rendering) wrap(rollout *model.Rollout, template corev1.PodTemplateSpec) (corev1.PodTemplateSpec, field.ErrorList) {
	if rollout.Spec.Strategy.Overlap != model.Locked {
		return template, nil
	}
	spec, faults := lockspec.Resolve(rollout.Spec.Lock, field.NewPath("spec", "lock"))
	if len(faults) > 0 {
		return template, faults
	}
	wrapped, err := lockspec.Wrap(template, spec)
	if err != nil {
		return template, step.RefusalsOf(err)
	}
	return wrapped, nil
}

func (r *Rendering) annotate(overlap model.OverlapMode, disable bool) {
	template := &r.prepared.Spec.Template
	if template.Annotations == nil {
		template.Annotations = map[string]string{}
	}
	template.Annotations[r.keys.Armed] = model.MarkPair
	template.Annotations[r.keys.Mode] = model.ModePairReleased
	if overlap == model.Locked {
		template.Annotations[r.keys.Mode] = model.ModePair
		template.Annotations[r.keys.Schema] = model.SchemaPair
	}
	if disable {
		template.Annotations[r.keys.Disable] = model.MarkPair
	}
}

// Template returns the prepared template before the slots' own parts. It belongs to the rendering.
func (r *Rendering) Template() *corev1.PodTemplateSpec { return &r.prepared.Spec.Template }

// Slot returns the slot's DaemonSet; owns says whether it also takes nodes without the slot label.
func (r *Rendering) Slot(slot model.Slot, owns bool) *appsv1.DaemonSet {
	set := r.prepared.DeepCopy()
	set.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
	if slot == model.Green {
		makeGreen(set, r.settings, r.keys)
	}
	admitSlot(&set.Spec.Template, r.keys, slot, owns)
	step.StripServerFields(set)
	if set.Annotations == nil {
		set.Annotations = map[string]string{}
	}
	set.Annotations[r.keys.Revision] = r.Revision
	return set
}

// Name returns the name of the slot's DaemonSet.
func (r *Rendering) Name(slot model.Slot) string {
	return slotName(r.prepared.Name, slot, r.settings)
}

func slotName(blue string, slot model.Slot, settings model.SlotSettings) string {
	if slot != model.Green {
		return blue
	}
	room := model.GreenNameLimit - len(settings.Green.Suffix)
	return strings.TrimRight(blue[:min(len(blue), room)], "-") + settings.Green.Suffix
}

// makeGreen gives the DaemonSet what two Pods of one agent must not share. Where the selector has the label of the settings green's value of it
// differs. Otherwise green keeps every label of the template, so that what selects those selects its Pods too, and gets one more: blue's
// selector takes green's Pods as well then, but a DaemonSet's controller leaves alone what another one controls.
func makeGreen(set *appsv1.DaemonSet, settings model.SlotSettings, keys model.Keys) {
	set.Name = slotName(set.Name, model.Green, settings)
	label, selector := settings.SelectorLabel, set.Spec.Selector.MatchLabels
	if blue := selector[label]; blue != "" {
		if set.Labels[label] == blue {
			set.Labels[label] = blue + settings.Green.Suffix
		}
		selector[label] = blue + settings.Green.Suffix
		set.Spec.Template.Labels[label] = blue + settings.Green.Suffix
	} else {
		selector[keys.PodSlot] = model.Green.String()
		set.Spec.Template.Labels[keys.PodSlot] = model.Green.String()
	}
	for i := range set.Spec.Template.Spec.Containers {
		container := &set.Spec.Template.Spec.Containers[i]
		container.Env = append(container.Env, settings.Green.Env...)
	}
}

// makeBlue undoes makeGreen, so that either slot can be rendered from the other's live template.
func makeBlue(set *appsv1.DaemonSet, blue string, settings model.SlotSettings, keys model.Keys) {
	set.Name = blue
	label, suffix := settings.SelectorLabel, settings.Green.Suffix
	_, added := set.Spec.Selector.MatchLabels[keys.PodSlot]
	for _, values := range []map[string]string{set.Labels, set.Spec.Selector.MatchLabels, set.Spec.Template.Labels} {
		if value, ok := values[label]; ok && !added {
			values[label] = strings.TrimSuffix(value, suffix)
		}
		delete(values, keys.PodSlot)
	}
	ours := func(env corev1.EnvVar) bool {
		return slices.ContainsFunc(settings.Green.Env, func(e corev1.EnvVar) bool { return e.Name == env.Name })
	}
	for i := range set.Spec.Template.Spec.Containers {
		container := &set.Spec.Template.Spec.Containers[i]
		container.Env = slices.DeleteFunc(container.Env, ours)
	}
}

// admitSlot adds the slot's admission to every required term of the node affinity: an existing term
// stays a condition of its own. The owner of unlabelled nodes gets a second copy of every term. Without the
// wrapper the overlap labels admit neither slot: not even a hand edit may then bring two Pods together.
//
// A term without a condition matches no node (corev1.NodeSelectorTerm) and must not get one, which would match: it is left out. Where there is
// no other one the admission contradicts itself, so that it still says whose the nodes would be.
func admitSlot(template *corev1.PodTemplateSpec, keys model.Keys, slot model.Slot, owns bool) {
	spec, key := &template.Spec, keys.NodeSlot
	values := []string{slot.String()}
	if template.Annotations[keys.Mode] != model.ModePairReleased {
		values = append(values, "blue-to-green", "green-to-blue")
	}
	if spec.Affinity == nil {
		spec.Affinity = &corev1.Affinity{}
	}
	if spec.Affinity.NodeAffinity == nil {
		spec.Affinity.NodeAffinity = &corev1.NodeAffinity{}
	}
	admission := []corev1.NodeSelectorRequirement{
		{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}, {Key: key, Operator: corev1.NodeSelectorOpDoesNotExist},
	}[:1+boolToInt(owns)]
	required := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	bases := []corev1.NodeSelectorTerm{{}}
	if required != nil {
		bases = slices.DeleteFunc(slices.Clone(required.NodeSelectorTerms), matchesNothing)
	}
	var terms []corev1.NodeSelectorTerm
	for _, requirement := range admission {
		for i := range bases {
			term := *bases[i].DeepCopy()
			term.MatchExpressions = append(term.MatchExpressions, requirement)
			terms = append(terms, term)
		}
		if len(bases) == 0 {
			terms = append(terms, corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{requirement, contrary(requirement)}})
		}
	}
	spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: terms}
}

// matchesNothing tells whether the term has no condition: "A null or empty node selector term matches no objects."
func matchesNothing(term corev1.NodeSelectorTerm) bool {
	return len(term.MatchExpressions)+len(term.MatchFields) == 0
}

// contrary holds where the admission does not.
func contrary(admission corev1.NodeSelectorRequirement) corev1.NodeSelectorRequirement {
	admission.Operator = map[corev1.NodeSelectorOperator]corev1.NodeSelectorOperator{
		corev1.NodeSelectorOpIn: corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpDoesNotExist: corev1.NodeSelectorOpExists,
	}[admission.Operator]
	return admission
}

// withdrawSlot undoes admitSlot: what matched nothing without the slot's own requirements still does.
func withdrawSlot(spec *corev1.PodSpec, key string) {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return
	}
	required := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		return
	}
	own := func(e corev1.NodeSelectorRequirement) bool { return e.Key == key }
	ownersCopy := func(term corev1.NodeSelectorTerm) bool {
		return slices.ContainsFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool {
			return own(e) && e.Operator == corev1.NodeSelectorOpDoesNotExist
		})
	}
	bases := slices.DeleteFunc(slices.Clone(required.NodeSelectorTerms), ownersCopy)
	if len(bases) == 0 {
		bases = required.NodeSelectorTerms
	}
	var terms []corev1.NodeSelectorTerm
	everywhere := false
	for _, term := range bases {
		others := slices.DeleteFunc(slices.Clone(term.MatchExpressions), own)
		everywhere = everywhere || len(others)+len(term.MatchFields) == 0 && len(term.MatchExpressions) == 1
		if term.MatchExpressions = others; !matchesNothing(term) {
			terms = append(terms, term)
		}
	}
	switch {
	case len(terms) > 0:
		required = &corev1.NodeSelector{NodeSelectorTerms: terms}
	case everywhere:
		required = nil
	default:
		required = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{}}}
	}
	spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = required
}

// admitsOverlap tells whether the live slot takes nodes in overlap.
func admitsOverlap(set *appsv1.DaemonSet, keys model.Keys) bool {
	return set.Spec.Template.Annotations[keys.Mode] != model.ModePairReleased
}

// ownsUnlabelled tells whether the live slot takes nodes without the slot label.
func ownsUnlabelled(set *appsv1.DaemonSet, key string) bool {
	affinity := set.Spec.Template.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil || affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return true
	}
	mentioned := false
	for _, term := range affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		for _, e := range term.MatchExpressions {
			mentioned = mentioned || e.Key == key
			if e.Key == key && e.Operator == corev1.NodeSelectorOpDoesNotExist {
				return true
			}
		}
	}
	return !mentioned
}

// conventionalStrategy is the native rolling update at the rollout's budget, never with surge: an
// unwrapped Pod must not run beside a wrapped one.
func conventionalStrategy(maxUnavailable intstr.IntOrString) appsv1.DaemonSetUpdateStrategy {
	zero := intstr.FromInt32(0)
	return appsv1.DaemonSetUpdateStrategy{
		Type:          appsv1.RollingUpdateDaemonSetStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &maxUnavailable, MaxSurge: &zero},
	}
}

func refuseSlots(desired *appsv1.DaemonSet, settings model.SlotSettings, keys model.Keys) (faults field.ErrorList) {
	spec := field.NewPath("spec")
	label := settings.SelectorLabel
	labels := desired.Spec.Template.Labels
	switch selector := desired.Spec.Selector; {
	case selector == nil || len(selector.MatchLabels) == 0:
		faults = append(faults, field.Required(spec.Child("selector", "matchLabels"), "green's selector has one label that differs from blue's: select the Pods by a label of the template"))
	case selector.MatchLabels[label] == "" && (selector.MatchLabels[keys.PodSlot] != "" || labels[keys.PodSlot] != ""):
		faults = append(faults, field.Forbidden(spec.Child("template", "metadata", "labels").Key(keys.PodSlot), "green's Pods get this label, and blue's must not have it: remove it from template and selector"))
	case selector.MatchLabels[label] == "":
	case labels[label] == "":
		faults = append(faults, field.Required(spec.Child("template", "metadata", "labels").Key(label), "the selector demands it"))
	case len(selector.MatchLabels[label])+len(settings.Green.Suffix) > 63:
		faults = append(faults, field.TooLong(spec.Child("selector", "matchLabels").Key(label), selector.MatchLabels[label], 63-len(settings.Green.Suffix)))
	}
	containers := spec.Child("template", "spec", "containers")
	for i := range desired.Spec.Template.Spec.Containers {
		for j, env := range desired.Spec.Template.Spec.Containers[i].Env {
			if slices.ContainsFunc(settings.Green.Env, func(e corev1.EnvVar) bool { return e.Name == env.Name }) {
				faults = append(faults, field.Forbidden(containers.Index(i).Child("env").Index(j).Child("name"),
					env.Name+" is set by the slots (spec.slots.green.env), since two Pods on one node must not share it: remove it"))
			}
		}
	}
	return faults
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
