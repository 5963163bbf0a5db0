package pair

import (
	"testing"

	"github.com/agent-rollout/planner/capacity"
	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"pgregory.net/rapid"
)

var drawnRequirement = rapid.Custom(func(t *rapid.T) corev1.NodeSelectorRequirement {
	values := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1", "2", "3"}), 1, 2, rapid.ID).Draw(t, "values")
	operator := rapid.SampledFrom([]corev1.NodeSelectorOperator{
		corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist, corev1.NodeSelectorOpGt,
	}).Draw(t, "operator")
	switch operator {
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		values = nil
	case corev1.NodeSelectorOpGt:
		values = values[:1]
	}
	return corev1.NodeSelectorRequirement{Key: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"), Operator: operator, Values: values}
})

var drawnTerm = rapid.Custom(func(t *rapid.T) (term corev1.NodeSelectorTerm) {
	term.MatchExpressions = rapid.SliceOfN(drawnRequirement, 0, 2).Draw(t, "expressions")
	if rapid.Bool().Draw(t, "by name") {
		term.MatchFields = []corev1.NodeSelectorRequirement{{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{rapid.SampledFrom([]string{"n1", "n2"}).Draw(t, "name")}}}
	}
	return term
})

// drawnAgent is the agent with any required affinity and node selector.
var drawnAgent = rapid.Custom(func(t *rapid.T) *appsv1.DaemonSet {
	set := agent("1")
	spec := &set.Spec.Template.Spec
	if rapid.Bool().Draw(t, "affinity") {
		spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: rapid.SliceOfN(drawnTerm, 1, 3).Draw(t, "terms"),
		}}}
	}
	spec.NodeSelector = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b"}), rapid.SampledFrom([]string{"1", "2"}), 0, 1).Draw(t, "node selector")
	return set
})

// selects asks the matching that the DaemonSet controller uses itself, and that ours says the same.
func selects(t require.TestingT, template *corev1.PodTemplateSpec, node *corev1.Node) bool {
	matches, err := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: template.Spec}).Match(node)
	require.NoError(t, err)
	placement, err := capacity.NewPlacement(template)
	require.NoError(t, err)
	require.Equal(t, matches, placement.Judge(node) == capacity.Eligible, "ours, %v", node.ObjectMeta)
	return matches
}

// The slots together select the nodes that the template selects, and no other: a labelled node by the slot of its label, one without a label by
// the owner, one in overlap by both. Taken back, a slot selects what the template does.
func TestSlotsSelectWhatTheTemplateSelects(t *testing.T) {
	rollout := newScene(t).rollout
	everyNode := func(each func(*corev1.Node)) {
		for _, name := range []string{"n1", "n2", "n3"} {
			for _, a := range []string{"", "1", "2", "3"} {
				for _, b := range []string{"", "1", "2"} {
					node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
					for key, value := range map[string]string{"a": a, "b": b} {
						if value != "" {
							node.Labels[key] = value
						}
					}
					each(node)
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		desired := drawnAgent.Draw(t, "desired")
		owner := rapid.SampledFrom([]model.Slot{model.Blue, model.Green}).Draw(t, "owner")
		r, err := Render(rollout, desired, false)
		require.NoError(t, err)
		sets := [2]*appsv1.DaemonSet{r.Slot(model.Blue, owner == model.Blue), r.Slot(model.Green, owner == model.Green)}
		everyNode(func(node *corev1.Node) {
			wanted := selects(t, &desired.Spec.Template, node)
			for label, slots := range map[string][2]bool{
				"": {owner == model.Blue, owner == model.Green}, "blue": {true, false}, "green": {false, true}, "blue-to-green": {true, true}, "released-to-green": {false, false},
			} {
				marked := node.DeepCopy()
				if label != "" {
					marked.Labels[r.keys.NodeSlot] = label
				}
				for i := range slots {
					require.Equal(t, wanted && slots[i], selects(t, &sets[i].Spec.Template, marked), "slot %d, label %q, %v", i, label, node.ObjectMeta)
				}
			}
		})
		for i, slot := range model.Slots() {
			require.Equal(t, slot == owner, ownsUnlabelled(sets[i], r.keys.NodeSlot))
			back := deployed(sets[i], slot, "agent", r.settings, r.keys)
			everyNode(func(node *corev1.Node) {
				require.Equal(t, selects(t, &desired.Spec.Template, node), selects(t, &back.Spec.Template, node), "slot %s taken back, %v", slot, node.ObjectMeta)
			})
			again := sets[i].DeepCopy()
			withdrawSlot(&again.Spec.Template.Spec, r.keys.NodeSlot)
			admitSlot(&again.Spec.Template, r.keys, slot, slot == owner)
			require.Equal(t, sets[i].Spec.Template.Spec.Affinity, again.Spec.Template.Spec.Affinity, "withdrawn and admitted again")
		}
	})
}
