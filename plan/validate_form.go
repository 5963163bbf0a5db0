package plan

import (
	"slices"
	"strings"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// sound judges one write by itself: its form, its object and its guards. It tells whether the object is known.
func (v *validation) sound(k int, a *model.Action) bool {
	w := &a.Write
	if w.Verb() == "" {
		v.say(Form, k, a.Node, "%s: want exactly one of create, patch and delete", w.Object)
		return false
	}
	if w.Create != nil {
		return v.soundCreate(k, w)
	}
	live, ours := v.find(a)
	switch {
	case live == nil:
		v.say(Form, k, a.Node, "%s is not in the snapshot", w.Object)
		return false
	case w.Object.UID == "" || live.GetUID() != w.Object.UID:
		v.say(S6, k, a.Node, "%s has UID %q, and the write tests %q", w.Object, live.GetUID(), w.Object.UID)
		return false
	case !ours:
		v.say(S9, k, a.Node, "%s is not the rollout's: its controller is %q, the owner %q", w.Object, model.ControllerUID(live), v.owner)
		return false
	}
	if w.Patch != nil {
		v.soundPatch(k, a, live)
	}
	if w.Object.Kind == "DaemonSet" {
		v.keepsSource(k, a)
	}
	return true
}

func (v *validation) soundCreate(k int, w *model.Write) bool {
	set := w.Create
	switch {
	case v.cluster.DaemonSet(set.Namespace, set.Name) != nil:
		v.say(S6, k, "", "%s exists already", w.Object)
	case set.Namespace != v.rollout.Metadata.Namespace || (set.Name != v.slots[0].name && set.Name != v.slots[1].name) || w.Object.Name != set.Name:
		v.say(S9, k, "", "%s: the slots are %s and %s", w.Object, v.slots[0].name, v.slots[1].name)
	case model.ControllerUID(set) != v.owner:
		v.say(S9, k, "", "%s would have controller %q, the owner is %q", w.Object, model.ControllerUID(set), v.owner)
	}
	v.mayAdmit(k, set.Name, &set.Spec.Template.Spec)
	v.mayStart(k, set)
	return true
}

// mayStart: no DaemonSet is made whose Pods would start beside those that end and that it cannot adopt: of one of its name that is
// gone, or without a controller.
func (v *validation) mayStart(k int, set *appsv1.DaemonSet) {
	for i := range v.cluster.Len() {
		for _, pod := range v.cluster.Pods(i) {
			owner := metav1.GetControllerOfNoCopy(pod)
			gone := owner != nil && owner.Kind == "DaemonSet" && owner.Name == set.Name
			ends := owner == nil && model.Terminating(pod) && selects(set, pod)
			if pod.Namespace != set.Namespace || model.Terminal(pod) || !gone && !ends {
				continue
			}
			if err := lockspec.MayOverlap(&pod.Spec, &set.Spec.Template.Spec); err != nil {
				v.say(S14, k, v.cluster.Node(i).Name, "%s would be made while Pod %s ends, and nothing keeps another one from starting beside it: %v", set.Name, pod.Name, err)
			}
		}
	}
}

// selects tells whether the Pod has the labels of the DaemonSet's Pods.
func selects(set *appsv1.DaemonSet, pod *corev1.Pod) bool {
	return pod.Namespace == set.Namespace && set.Spec.Selector != nil && len(set.Spec.Selector.MatchLabels) > 0 &&
		labels.SelectorFromSet(set.Spec.Selector.MatchLabels).Matches(labels.Set(pod.Labels))
}

// mayAdmit judges the template of a slot beside the other one: without locks no label may let both in at once.
func (v *validation) mayAdmit(k int, name string, spec *corev1.PodSpec) {
	for i := range v.slots {
		other := &v.slots[1-i]
		if v.slots[i].name != name || other.set == nil {
			continue
		}
		admits := admissionOf(spec, v.keys.NodeSlot)
		for _, label := range []model.NodeLabel{{}, {Kind: model.Overlaps, To: model.Blue}, {Kind: model.Overlaps, To: model.Green}} {
			if value, _ := label.Value(); admits.takes(label) && other.admits.takes(label) {
				if err := lockspec.MayOverlap(spec, &other.set.Spec.Template.Spec); err != nil {
					v.say(S14, k, "", "%s and %s would both take nodes labelled %q: %v", name, other.name, value, err)
				}
			}
		}
	}
}

// find returns the written object as the snapshot shows it, and whether the rollout may write it at all.
func (v *validation) find(a *model.Action) (object metav1.Object, ours bool) {
	ref := &a.Write.Object
	switch ref.Kind {
	case "Node":
		if n, ok := v.cluster.Find(ref.Name); ok && a.Node == ref.Name {
			return v.cluster.Node(n), a.Write.Patch != nil
		}
	case "DaemonSet":
		for i := range v.slots {
			if s := &v.slots[i]; s.set != nil && s.name == ref.Name && s.set.Namespace == ref.Namespace {
				return s.set, model.ControllerUID(s.set) == v.owner
			}
		}
		if set := v.cluster.DaemonSet(ref.Namespace, ref.Name); set != nil {
			return set, false
		}
	case "Pod":
		if n, ok := v.cluster.Find(a.Node); ok {
			for _, pod := range v.cluster.Pods(n) {
				if pod.Name == ref.Name && pod.Namespace == ref.Namespace {
					return pod, a.Write.Delete != nil && v.slotOf(pod) != model.NoSlot
				}
			}
		}
	default:
		if o := &v.rollout.Metadata; ref.Kind == o.Kind && ref.Name == o.Name && ref.Namespace == o.Namespace {
			return &metav1.ObjectMeta{Namespace: o.Namespace, Name: o.Name, UID: o.UID, Annotations: o.Annotations}, a.Write.Patch != nil
		}
	}
	return nil, false
}

// slotOf returns the slot whose DaemonSet controls the Pod.
func (v *validation) slotOf(pod *corev1.Pod) model.Slot {
	switch controller := model.ControllerUID(pod); controller {
	case "":
		return model.NoSlot
	case v.slots[0].uid:
		return model.Blue
	case v.slots[1].uid:
		return model.Green
	}
	return model.NoSlot
}

func (v *validation) soundPatch(k int, a *model.Action, live metav1.Object) {
	p, keys := a.Write.Patch, &v.keys
	var labels, notes []string
	switch a.Write.Object.Kind {
	case "Node":
		labels, notes = []string{keys.NodeSlot}, []string{keys.NodeCandidate, keys.NodeMoved, keys.NodeFence}
		v.soundLabel(k, a, live)
	case "DaemonSet":
		notes = v.ownNotes()
	default:
		notes = []string{keys.Mode, keys.Cleanup}
	}
	v.soundEdits(k, a.Node, "labels", p.Labels, live.GetLabels(), labels, p.NoLabels)
	v.soundEdits(k, a.Node, "annotations", p.Annotations, live.GetAnnotations(), notes, p.NoAnnotations)
	if p.ResourceVersion != "" && p.ResourceVersion != live.GetResourceVersion() {
		v.say(S6, k, a.Node, "%s is at resourceVersion %s, and the write tests %s", a.Write.Object, live.GetResourceVersion(), p.ResourceVersion)
	}
	switch {
	case p.Spec != nil && a.Write.Object.Kind != "DaemonSet":
		v.say(Form, k, a.Node, "%s cannot get a DaemonSet's spec", a.Write.Object)
	case p.Spec != nil && p.Generation != live.GetGeneration():
		v.say(S6, k, a.Node, "%s is at generation %d, and the spec tests %d", a.Write.Object, live.GetGeneration(), p.Generation)
	case p.Spec != nil:
		v.mayAdmit(k, a.Write.Object.Name, &p.Spec.Template.Spec)
		v.remembersEdits(k, a)
	}
}

// remembersEdits: a template that a person has edited is not put right without remembering its generation, or its Pods would
// count as Pods of the revision that they carry.
func (v *validation) remembersEdits(k int, a *model.Action) {
	live, next := v.cluster.DaemonSet(a.Write.Object.Namespace, a.Write.Object.Name), &a.Write.Patch.Spec.Template
	revision := next.Annotations[v.keys.Revision]
	if live.Annotations[v.keys.Revision] != revision || live.Spec.Template.Annotations[v.keys.Revision] != revision || revision == "" {
		return
	}
	images := func(template *corev1.PodTemplateSpec) (list []string) {
		for i := range template.Spec.Containers {
			list = append(list, template.Spec.Containers[i].Name+" "+template.Spec.Containers[i].Image)
		}
		return list
	}
	remembered := live.Annotations[v.keys.Edited]
	for _, edit := range a.Write.Patch.Annotations {
		if edit.Key == v.keys.Edited && edit.To != nil {
			remembered = *edit.To
		}
	}
	generation := live.Annotations[appsv1.DeprecatedTemplateGeneration]
	if generation != "" && !slices.Equal(images(&live.Spec.Template), images(next)) && !slices.Contains(strings.Split(remembered, ","), generation) {
		v.say(S5, k, "", "generation %s of the template of DaemonSet %s was edited by hand, and its Pods would count as revision %s", generation, live.Name, revision)
	}
}

func (v *validation) soundEdits(k int, node, what string, edits []model.Edit, live map[string]string, ours []string, missing bool) {
	if len(edits) > 0 && missing != (len(live) == 0) {
		v.say(S6, k, node, "the object has %d %s, and the write takes them for missing: %t", len(live), what, missing)
	}
	for i := range edits {
		e := &edits[i]
		value, present := live[e.Key]
		switch {
		case !slices.Contains(ours, e.Key):
			v.say(S9, k, node, "%s: the key %s is not the rollout's", what, e.Key)
		case present != (e.From != nil) || (present && value != *e.From):
			v.say(S6, k, node, "%s: %s is %q (present %t), and the write tests %s", what, e.Key, value, present, valueText(e.From))
		}
	}
}

// soundLabel judges a write of the slot label: a late request must fail, the candidate belongs to the former label, and the
// mark beside the label tells a restarted planner when the node moved.
func (v *validation) soundLabel(k int, a *model.Action, live metav1.Object) {
	p := a.Write.Patch
	former := v.marksOf(live)
	after, written := former.after(p, &v.keys), false
	for i := range p.Labels {
		e := &p.Labels[i]
		written = written || (e.Key == v.keys.NodeSlot && valueText(e.From) != valueText(e.To))
	}
	if !written {
		return
	}
	if p.ResourceVersion == "" && after.label.Kind != model.Overlaps {
		v.say(S6, k, a.Node, "the label is written without the Node's resourceVersion (now %s)", live.GetResourceVersion())
	}
	if after.candidate != "" {
		v.say(S6, k, a.Node, "the label is written and the candidate %s stays", after.candidate)
	}
	if after.label.Kind != model.Unlabelled && (after.moved == former.moved || model.ParseMoved(after.moved).At.IsZero()) && !v.movedNow(former) {
		v.say(S6, k, a.Node, "the label is written and %s stays %q", v.keys.NodeMoved, former.moved)
	}
}

// movedNow tells whether the mark is of this very second: writing it again would change nothing.
func (v *validation) movedNow(m marks) bool {
	return model.ParseMoved(m.moved).At.Unix() == v.now.Unix()
}

// keepsSource lets the source's template alone while a target is recorded; only its admission may change.
func (v *validation) keepsSource(k int, a *model.Action) {
	source := v.slot(v.active)
	if v.target == model.NoSlot || a.Write.Object.Name != source.name || v.tearing() {
		return
	}
	if a.Write.Delete != nil {
		v.say(S5, k, "", "DaemonSet %s is the source while revision %s is recorded as the target, and would be deleted", source.name, v.targetRevision)
		return
	}
	if spec := a.Write.Patch.Spec; spec != nil && !equality.Semantic.DeepEqual(
		withoutAdmission(&spec.Template, v.keys.NodeSlot), withoutAdmission(&source.set.Spec.Template, v.keys.NodeSlot)) {
		v.say(S5, k, "", "the template of the source %s would change while revision %s is recorded as the target", source.name, v.targetRevision)
	}
}

func (v *validation) tearing() bool {
	return v.rollout.Spec.Intent == model.Teardown || v.rollout.Metadata.Annotations[v.keys.Cleanup] != ""
}

// admission are the requirements on the slot label in each required term of a template's node affinity.
type admission [][]corev1.NodeSelectorRequirement

func admissionOf(spec *corev1.PodSpec, key string) (a admission) {
	for _, term := range requiredTerms(spec) {
		a = append(a, slices.DeleteFunc(slices.Clone(term.MatchExpressions), func(e corev1.NodeSelectorRequirement) bool { return e.Key != key }))
	}
	return a
}

// takes tells whether the template accepts a node with this label. The legacy values mean what they stood for.
func (a admission) takes(label model.NodeLabel) bool {
	value, present := label.Value()
	if label.Kind == model.Foreign {
		value, present = "foreign", true
	}
	return len(a) == 0 || slices.ContainsFunc(a, func(term []corev1.NodeSelectorRequirement) bool {
		return !slices.ContainsFunc(term, func(e corev1.NodeSelectorRequirement) bool { return !meets(&e, value, present) })
	})
}

func meets(e *corev1.NodeSelectorRequirement, value string, present bool) bool {
	switch e.Operator {
	case corev1.NodeSelectorOpIn:
		return present && slices.Contains(e.Values, value)
	case corev1.NodeSelectorOpNotIn:
		return !present || !slices.Contains(e.Values, value)
	case corev1.NodeSelectorOpExists:
		return present
	case corev1.NodeSelectorOpDoesNotExist:
		return !present
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		return false
	}
	return false
}

func requiredTerms(spec *corev1.PodSpec) []corev1.NodeSelectorTerm {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil || spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	return spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
}

// withoutAdmission returns a copy of the template whose required node affinity does not speak of the key: terms that are
// equal then are one, and what is left empty is absent.
func withoutAdmission(template *corev1.PodTemplateSpec, key string) *corev1.PodTemplateSpec {
	bare := template.DeepCopy()
	var terms []corev1.NodeSelectorTerm
	for _, term := range requiredTerms(&bare.Spec) {
		term.MatchExpressions = slices.DeleteFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool { return e.Key == key })
		same := func(other corev1.NodeSelectorTerm) bool { return equality.Semantic.DeepEqual(term, other) }
		if len(term.MatchExpressions)+len(term.MatchFields) > 0 && !slices.ContainsFunc(terms, same) {
			terms = append(terms, term)
		}
	}
	affinity := bare.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil {
		return bare
	}
	affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = nil
	if len(terms) > 0 {
		affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: terms}
	}
	if len(terms)+len(affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution) == 0 {
		affinity.NodeAffinity = nil
	}
	if equality.Semantic.DeepEqual(affinity, &corev1.Affinity{}) {
		bare.Spec.Affinity = nil
	}
	return bare
}
