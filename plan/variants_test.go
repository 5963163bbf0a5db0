package plan_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// variant is an agent as a chart or an operator makes it, with what selects its Pods.
type variant struct {
	Name             string
	OS               string
	Selector, Labels map[string]string
	Services         []map[string]string
	Spec             corev1.PodSpec
	// Refused is what a strategy is refused for, by type and overlap.
	Refused map[string]string
}

func (v *variant) desired(tag string) *appsv1.DaemonSet {
	set := conventional(tag)
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: v.Selector}
	set.Spec.Template = corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: v.Labels}, Spec: *v.Spec.DeepCopy()}
	for _, containers := range [][]corev1.Container{set.Spec.Template.Spec.InitContainers, set.Spec.Template.Spec.Containers} {
		for i := range containers {
			containers[i].Image = "agent:" + tag
		}
	}
	return set
}

func (v *variant) selecting() (list []model.Selecting) {
	for _, service := range v.Services {
		list = append(list, model.Selecting{Kind: "Service", Namespace: namespace, Name: "agent", Path: "spec.selector", Selector: labels.SelectorFromSet(service), Namespaces: []string{namespace}})
	}
	return list
}

// endpoints are the nodes on which the Service has a Pod that is Ready.
func endpoints(cluster *model.Cluster, service labels.Selector) (count int) {
	for i := range cluster.Len() {
		for _, pod := range cluster.Pods(i) {
			if ready, _ := model.ReadySince(pod); ready && !model.Terminating(pod) && service.Matches(labels.Set(pod.Labels)) {
				count++
				break
			}
		}
	}
	return count
}

// Every form that an agent takes is checked, taken over from a conventional DaemonSet and rolled out with each strategy, twice, so that both
// slots serve; all the while every Service has its endpoints but for the budget. Or the strategy is refused, for what the form says.
func TestVariants(t *testing.T) {
	text, err := os.ReadFile("testdata/variants.yaml")
	require.NoError(t, err)
	var variants []variant
	require.NoError(t, yaml.UnmarshalStrict(text, &variants))
	require.GreaterOrEqual(t, len(variants), 8)
	for i := range variants {
		v := &variants[i]
		for name, strategy := range map[string]func(*model.Rollout){
			"Pair Locked": strategyOf(model.Pair, model.Locked, count(1)), "Pair Never": strategyOf(model.Pair, model.Never, count(1)),
			"Surge Locked": strategyOf(model.Surge, model.Locked, count(1)), "Surge Never": strategyOf(model.Surge, model.Never, count(1)),
			"RollingUpdate": strategyOf(model.RollingUpdate, "", count(1)),
		} {
			t.Run(v.Name+" "+name, func(t *testing.T) { v.rollsOut(t, strategy, v.Refused[name]) })
		}
	}
}

func (v *variant) rollsOut(t *testing.T, strategy func(*model.Rollout), refused string) {
	nodes := workers(3)
	for _, node := range nodes {
		if v.OS != "" {
			node.Labels[corev1.LabelOSStable] = v.OS
		}
	}
	require.Empty(t, plan.CheckDaemonSet(v.desired("1")))
	deployed := v.desired("1")
	deployed.UID, deployed.ResourceVersion, deployed.Generation = "agent-uid", "1", 1
	l := newLab(t, nodes, rolloutOf("1", strategy, func(r *model.Rollout) { r.Spec.Desired, r.Spec.Lock.Preset = v.desired("1"), "datadog" }), deployed)
	l.settle()
	l.now = l.now.Add(time.Hour)
	snapshot, err := l.world.Snapshot(l.now, l.rollout)
	require.NoError(t, err)
	rendering, err := plan.Render(snapshot)
	if refused != "" {
		var refusal *plan.RefusedError
		require.True(t, errors.As(err, &refusal), "%v", err)
		require.ErrorContains(t, err, refused)
		p := l.step()
		require.Empty(t, p.Actions)
		require.Equal(t, string(model.TemplateRefused), p.Blocked().Reason)
		return
	}
	require.NoError(t, err)
	for _, notice := range plan.Notices(snapshot, &rendering, v.selecting()) {
		require.Contains(t, notice, "is taken over by one roll")
	}
	plans := 0
	l.judge = func(s *model.Snapshot, _ *model.Plan) {
		plans++
		for _, service := range v.Services {
			require.GreaterOrEqual(t, endpoints(s.Cluster, labels.SelectorFromSet(service)), 2, "%v", l.trace)
		}
	}
	for _, tag := range []string{"2", "3"} {
		l.rollout.Spec.Desired = v.desired(tag)
		end := l.run()
		require.True(t, end.Complete(), "%+v", end.Conditions)
		truth, err := l.world.Truth(l.now, l.rollout)
		require.NoError(t, err)
		for _, service := range v.Services {
			require.Equal(t, 3, endpoints(truth.Cluster, labels.SelectorFromSet(service)))
		}
	}
	require.Greater(t, plans, 10)
}
