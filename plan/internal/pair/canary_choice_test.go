package pair

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A canary is chosen among nodes whose agent is available; one that was broken before the target was recorded, two hours ago, comes
// last, and its zone's share and fewer restarts do not bring it forward.
func TestCanaryChoice(t *testing.T) {
	type node struct {
		source  string
		made    float64 // minutes ago
		zone    string
		crashes int32
	}
	const long, since = 180.0, 60.0
	works := node{"serves", long, "", 0}
	for _, test := range []struct {
		name  string
		nodes []node
		want  []int32
	}{
		{"by name", []node{works, works, works}, []int32{0, 1}},
		{"one that fell since", []node{{"starting", since, "", 0}, works, works}, []int32{1, 2}},
		{"one that was broken before", []node{{"starting", long, "", 0}, works, works}, []int32{1, 2}},
		{"rather one that fell since", []node{{"starting", long, "", 0}, {"starting", since, "", 0}, works}, []int32{1, 2}},
		{"rather one that settles", []node{{"starting", long, "", 0}, {"settling", long, "", 0}, works}, []int32{1, 2}},
		{"no other is left", []node{{"starting", long, "", 0}, works}, []int32{0, 1}},
		{"though others have restarted", []node{{"starting", long, "", 0}, {"serves", long, "", 7}, {"serves", long, "", 9}}, []int32{1, 2}},
		{"though its zone has no other", []node{{"starting", long, "a", 0}, {"serves", long, "b", 0}, {"serves", long, "b", 0}}, []int32{1, 2}},
		{"the zones of those that work take turns", []node{{"serves", long, "a", 0}, {"serves", long, "a", 0}, {"serves", long, "b", 3}}, []int32{0, 2}},
		{"and a broken one takes nothing of its zone's share", []node{{"starting", long, "b", 0}, {"serves", long, "a", 0}, {"serves", long, "a", 0}, {"serves", long, "b", 3}}, []int32{1, 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := canaryScene(t, func(r *model.Rollout) { r.Spec.Strategy.Canary.NodeAntiAffinityKeys = []string{"zone"} }, nil)
			for i, n := range test.nodes {
				s.node("n"+string(rune('1'+i)), "", n.source, "")
				s.objects.Nodes[i].Labels["zone"] = n.zone
				s.objects.Pods[i].CreationTimestamp = ago(n.made)
				restarts(s.objects.Pods[i], n.crashes, 60)
			}
			v := s.view()
			survey := v.sum()
			c := steer(v, &survey)
			chosen := []int32{}
			for i := range int32(len(test.nodes)) {
				if c.Chosen[i] {
					chosen = append(chosen, i)
				}
			}
			require.Equal(t, test.want, chosen)
		})
	}
}

// The ramp of a slow start begins after the canary, whose nodes are placed together.
func TestCanaryKnowsNoRamp(t *testing.T) {
	slowly := func(r *model.Rollout) {
		r.Spec.Strategy.Overlap, r.Status.Executor.Listed = model.Never, true
		r.Spec.Strategy.SlowStart = &model.SlowStart{Interval: metav1.Duration{Duration: 3 * time.Hour}, Increase: intstr.FromInt32(1)}
	}
	validated := ago(0.5)
	for _, test := range []struct {
		name   string
		record func(*model.CanaryRecord)
		leave  int
	}{
		{"the canary's two nodes", nil, 2},
		{"after it, the first step", func(c *model.CanaryRecord) { c.Verdict, c.Since = model.CanaryIsValidated, &validated }, 1},
	} {
		s := canaryScene(t, slowly, test.record)
		for _, name := range []string{"n1", "n2", "n3", "n4"} {
			s.node(name, "", "serves", "")
		}
		p, _ := s.plan()
		require.Len(t, p.Actions, test.leave, test.name)
	}
}
