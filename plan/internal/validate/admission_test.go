package validate

import (
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

const slotKey = "example.com/slot"

func requiring(terms ...[]corev1.NodeSelectorRequirement) *corev1.PodSpec {
	selector := &corev1.NodeSelector{}
	for _, term := range terms {
		selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, corev1.NodeSelectorTerm{MatchExpressions: term})
	}
	return &corev1.PodSpec{
		Containers: []corev1.Container{{Name: "agent"}},
		Affinity:   &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: selector}},
	}
}

func expression(key string, operator corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: operator, Values: values}
}

func TestAdmission(t *testing.T) {
	type terms = []corev1.NodeSelectorRequirement
	blue, overlap, none := model.NodeLabel{Kind: model.Serves, To: model.Blue}, model.NodeLabel{Kind: model.Overlaps, To: model.Green}, model.NodeLabel{}
	foreign := model.NodeLabel{Kind: model.Foreign}
	value, _ := overlap.Value()
	tests := []struct {
		name string
		spec *corev1.PodSpec
		want []model.NodeLabel
	}{
		{"no affinity", &corev1.PodSpec{}, []model.NodeLabel{none, blue, overlap, foreign}},
		{"another key alone", requiring(terms{expression("zone", corev1.NodeSelectorOpIn, "a")}), []model.NodeLabel{none, blue, overlap, foreign}},
		{"two values", requiring(terms{expression(slotKey, corev1.NodeSelectorOpIn, "blue", value)}), []model.NodeLabel{blue, overlap}},
		{"either of two terms", requiring(terms{expression(slotKey, corev1.NodeSelectorOpIn, "blue")}, terms{expression(slotKey, corev1.NodeSelectorOpDoesNotExist)}), []model.NodeLabel{none, blue}},
		{"none but", requiring(terms{expression(slotKey, corev1.NodeSelectorOpNotIn, "blue")}), []model.NodeLabel{none, overlap, foreign}},
		{"any value", requiring(terms{expression(slotKey, corev1.NodeSelectorOpExists)}), []model.NodeLabel{blue, overlap, foreign}},
		{"a number", requiring(terms{expression(slotKey, corev1.NodeSelectorOpGt, "1")}), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var took []model.NodeLabel
			for _, label := range []model.NodeLabel{none, blue, overlap, foreign} {
				if admissionOf(test.spec, slotKey).takes(label) {
					took = append(took, label)
				}
			}
			require.Equal(t, test.want, took)
		})
	}
}

func TestWithoutAdmission(t *testing.T) {
	type terms = []corev1.NodeSelectorRequirement
	zone, slot := expression("zone", corev1.NodeSelectorOpIn, "a"), expression(slotKey, corev1.NodeSelectorOpIn, "blue")
	bare := &corev1.PodSpec{Containers: []corev1.Container{{Name: "agent"}}}
	for name, test := range map[string]struct{ spec, want *corev1.PodSpec }{
		"nothing else":       {requiring(terms{slot}), bare},
		"another key":        {requiring(terms{slot, zone}), requiring(terms{zone})},
		"two equal terms":    {requiring(terms{slot, zone}, terms{zone}), requiring(terms{zone})},
		"no affinity at all": {bare, bare},
		"matches no node":    {requiring(terms{}), requiring(terms{})},
	} {
		t.Run(name, func(t *testing.T) {
			template := &corev1.PodTemplateSpec{Spec: *test.spec}
			before := template.DeepCopy()
			require.Equal(t, *test.want, withoutAdmission(template, slotKey).Spec)
			require.Equal(t, before, template, "the template is another's")
		})
	}
}

// Two slots without locks are never let in at once: neither by an overlap nor both without a label.
func TestMayAdmit(t *testing.T) {
	blue := requiring([]corev1.NodeSelectorRequirement{expression(slotKey, corev1.NodeSelectorOpIn, "blue")})
	anywhere := &corev1.PodSpec{Containers: []corev1.Container{{Name: "agent"}}}
	set := &appsv1.DaemonSet{}
	set.Spec.Template.Spec = *anywhere
	s := &scene{keys: model.Keys{NodeSlot: slotKey}}
	s.slots = [2]slotSeen{{name: "agent"}, {name: "agent-green", set: set}}
	x := act{Action: &model.Action{}}
	require.Empty(t, s.mayAdmit(x, "agent", blue))
	require.Empty(t, s.mayAdmit(x, "agent-green", anywhere), "there is no other slot")
	found := s.mayAdmit(x, "agent", anywhere)
	require.Len(t, found, 3)
	require.Equal(t, S14, found[0].Property)
	require.Contains(t, found[0].Message, `agent and agent-green would both take nodes labelled ""`)
}
