package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// sound judges one write by itself: its form, its object and its guards. It tells whether the object is known.
func (s *scene) sound(x act) (known bool, found []Violation) {
	w := &x.Write
	if w.Verb() == "" {
		return false, x.breaks(Form, "%s: want exactly one of create, patch and delete", w.Object)
	}
	if w.Create != nil {
		return true, s.soundCreate(x)
	}
	live, ours := s.find(x.Action)
	switch {
	case live == nil:
		return false, x.breaks(Form, "%s is not in the snapshot", w.Object)
	case w.Object.UID == "" || live.GetUID() != w.Object.UID:
		return false, x.breaks(S6, "%s has UID %q, and the write tests %q", w.Object, live.GetUID(), w.Object.UID)
	case !ours:
		return false, x.breaks(S9, "%s is not the rollout's: its controller is %q, the owner %q", w.Object, model.ControllerUID(live), s.owner)
	}
	if w.Patch != nil {
		found = s.soundPatch(x, live)
	}
	if w.Object.Kind == "DaemonSet" {
		found = append(found, s.keepsSource(x)...)
	}
	return true, found
}

func (s *scene) soundCreate(x act) (found []Violation) {
	w := &x.Write
	switch set := w.Create; {
	case s.cluster.DaemonSet(set.Namespace, set.Name) != nil:
		found = x.breaks(S6, "%s exists already", w.Object)
	case set.Namespace != s.rollout.Metadata.Namespace || (set.Name != s.slots[0].name && set.Name != s.slots[1].name) || w.Object.Name != set.Name:
		found = x.breaks(S9, "%s: the slots are %s and %s", w.Object, s.slots[0].name, s.slots[1].name)
	case model.ControllerUID(set) != s.owner:
		found = x.breaks(S9, "%s would have controller %q, the owner is %q", w.Object, model.ControllerUID(set), s.owner)
	}
	found = append(found, s.mayAdmit(x, w.Create.Name, &w.Create.Spec.Template.Spec)...)
	return append(found, s.mayStart(x, w.Create)...)
}

// find returns the written object as the snapshot shows it, and whether the rollout may write it at all.
func (s *scene) find(a *model.Action) (object metav1.Object, ours bool) {
	ref := &a.Write.Object
	switch ref.Kind {
	case "Node":
		if n, ok := s.cluster.Find(ref.Name); ok && a.Node == ref.Name {
			return s.cluster.Node(n), a.Write.Patch != nil
		}
	case "DaemonSet":
		if set := s.cluster.DaemonSet(ref.Namespace, ref.Name); set != nil {
			slot := slices.ContainsFunc(s.slots[:], func(slot slotSeen) bool { return slot.set == set })
			return set, slot && model.ControllerUID(set) == s.owner
		}
	case "Pod":
		if n, ok := s.cluster.Find(a.Node); ok {
			for _, pod := range s.cluster.Pods(n) {
				if pod.Name == ref.Name && pod.Namespace == ref.Namespace {
					return pod, a.Write.Delete != nil && s.slotOf(pod) != model.NoSlot
				}
			}
		}
	default:
		if o := &s.rollout.Metadata; ref.Kind == o.Kind && ref.Name == o.Name && ref.Namespace == o.Namespace {
			return &metav1.ObjectMeta{Namespace: o.Namespace, Name: o.Name, UID: o.UID, Annotations: o.Annotations}, a.Write.Patch != nil
		}
	}
	return nil, false
}

func (s *scene) soundPatch(x act, live metav1.Object) (found []Violation) {
	p, keys := x.Write.Patch, &s.keys
	var labels, notes []string
	switch x.Write.Object.Kind {
	case "Node":
		labels, notes = []string{keys.NodeSlot}, []string{keys.NodeCandidate, keys.NodeMoved, keys.NodeFence}
		found = s.soundLabel(x, live)
	case "DaemonSet":
		notes = s.ownNotes()
		if desired := s.rollout.Spec.Desired; desired != nil {
			labels = asDesired(p.Labels, desired.Labels, s.rollout.Spec.Slots.Green.Suffix)
			notes = slices.Concat(notes, asDesired(p.Annotations, desired.Annotations, ""))
		}
	default:
		notes = []string{keys.Mode, keys.Cleanup}
	}
	found = append(found, soundEdits(x, "labels", p.Labels, live.GetLabels(), labels, p.NoLabels)...)
	found = append(found, soundEdits(x, "annotations", p.Annotations, live.GetAnnotations(), notes, p.NoAnnotations)...)
	if p.ResourceVersion != "" && p.ResourceVersion != live.GetResourceVersion() {
		found = append(found, x.breaks(S6, "%s is at resourceVersion %s, and the write tests %s", x.Write.Object, live.GetResourceVersion(), p.ResourceVersion)...)
	}
	switch {
	case p.Spec != nil && x.Write.Object.Kind != "DaemonSet":
		found = append(found, x.breaks(Form, "%s cannot get a DaemonSet's spec", x.Write.Object)...)
	case p.Spec != nil && p.Generation != live.GetGeneration():
		found = append(found, x.breaks(S6, "%s is at generation %d, and the spec tests %d", x.Write.Object, live.GetGeneration(), p.Generation)...)
	case p.Spec != nil:
		found = append(found, s.mayAdmit(x, x.Write.Object.Name, &p.Spec.Template.Spec)...)
		found = append(found, s.remembersEdits(x)...)
	}
	return found
}

// remembersEdits: a template that a person has edited is not put right without remembering its generation, or its Pods would
// count as Pods of the revision that they carry.
func (s *scene) remembersEdits(x act) []Violation {
	live, next := s.cluster.DaemonSet(x.Write.Object.Namespace, x.Write.Object.Name), &x.Write.Patch.Spec.Template
	revision := next.Annotations[s.keys.Revision]
	if live.Annotations[s.keys.Revision] != revision || live.Spec.Template.Annotations[s.keys.Revision] != revision || revision == "" {
		return nil
	}
	remembered := live.Annotations[s.keys.Edited]
	for _, edit := range x.Write.Patch.Annotations {
		if edit.Key == s.keys.Edited && edit.To != nil {
			remembered = *edit.To
		}
	}
	generation := live.Annotations[appsv1.DeprecatedTemplateGeneration]
	if generation != "" && !slices.Equal(images(&live.Spec.Template), images(next)) && !slices.Contains(strings.Split(remembered, ","), generation) {
		return x.breaks(S5, "generation %s of the template of DaemonSet %s was edited by hand, and its Pods would count as revision %s", generation, live.Name, revision)
	}
	return nil
}

func images(template *corev1.PodTemplateSpec) (list []string) {
	for i := range template.Spec.Containers {
		list = append(list, template.Spec.Containers[i].Name+" "+template.Spec.Containers[i].Image)
	}
	return list
}

// asDesired are the keys that are given the desired DaemonSet's own value, or green's.
func asDesired(edits []model.Edit, desired map[string]string, suffix string) (keys []string) {
	for i := range edits {
		if value, ok := desired[edits[i].Key]; ok && edits[i].To != nil && (*edits[i].To == value || *edits[i].To == value+suffix) {
			keys = append(keys, edits[i].Key)
		}
	}
	return keys
}

func soundEdits(x act, what string, edits []model.Edit, live map[string]string, ours []string, missing bool) (found []Violation) {
	if len(edits) > 0 && missing != (len(live) == 0) {
		found = x.breaks(S6, "the object has %d %s, and the write takes them for missing: %t", len(live), what, missing)
	}
	for i := range edits {
		e := &edits[i]
		value, present := live[e.Key]
		switch {
		case !slices.Contains(ours, e.Key):
			found = append(found, x.breaks(S9, "%s: the key %s is not the rollout's", what, e.Key)...)
		case present != (e.From != nil) || (present && value != *e.From):
			found = append(found, x.breaks(S6, "%s: %s is %q (present %t), and the write tests %s", what, e.Key, value, present, valueText(e.From))...)
		}
	}
	return found
}

func valueText(value *string) string {
	if value == nil {
		return "absent"
	}
	return fmt.Sprintf("%q", *value)
}

// soundLabel judges a write of the slot label: a late request must fail, the candidate belongs to the former label, and the
// mark in its annotation tells a restarted planner when the node moved.
func (s *scene) soundLabel(x act, live metav1.Object) (found []Violation) {
	p := x.Write.Patch
	former := s.marksOf(live)
	after := former.after(p, &s.keys)
	written := slices.ContainsFunc(p.Labels, func(e model.Edit) bool { return e.Key == s.keys.NodeSlot && valueText(e.From) != valueText(e.To) })
	if !written {
		return nil
	}
	if p.ResourceVersion == "" && after.label.Kind != model.Overlaps {
		found = x.breaks(S6, "the label is written without the Node's resourceVersion (now %s)", live.GetResourceVersion())
	}
	if after.candidate != "" {
		found = append(found, x.breaks(S6, "the label is written and the candidate %s stays", after.candidate)...)
	}
	// A mark of this very second stays: writing it again would change nothing.
	marked := after.moved != former.moved && !model.ParseMoved(after.moved).At.IsZero() || model.ParseMoved(former.moved).At.Unix() == s.now.Unix()
	if after.label.Kind != model.Unlabelled && !marked {
		found = append(found, x.breaks(S6, "the label is written and %s stays %q", s.keys.NodeMoved, former.moved)...)
	}
	return found
}

// keepsSource lets the source's template alone while a target is recorded; only its admission may change.
func (s *scene) keepsSource(x act) []Violation {
	source := s.slot(s.active)
	if s.target == model.NoSlot || x.Write.Object.Name != source.name || s.tearing() {
		return nil
	}
	if x.Write.Delete != nil {
		return x.breaks(S5, "DaemonSet %s is the source while revision %s is recorded as the target, and would be deleted", source.name, s.targetRevision)
	}
	if spec := x.Write.Patch.Spec; spec != nil && !equality.Semantic.DeepEqual(
		withoutAdmission(&spec.Template, s.keys.NodeSlot), withoutAdmission(&source.set.Spec.Template, s.keys.NodeSlot)) {
		return x.breaks(S5, "the template of the source %s would change while revision %s is recorded as the target", source.name, s.targetRevision)
	}
	return nil
}
