package plan_test

import (
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// selecting is the conventional DaemonSet with a selector that has not the label by which slots differ, though its template has.
func selecting(tag string, more ...string) *appsv1.DaemonSet {
	set := conventional(tag)
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}}
	set.Spec.Template.Labels = map[string]string{"app": "agent", "app.kubernetes.io/instance": "agent"}
	for _, key := range more {
		set.Spec.Selector.MatchLabels[key], set.Spec.Template.Labels[key] = "yes", "yes"
	}
	return set
}

// A Service that selects Pods by the template's labels keeps its endpoints on every node, whichever slot serves, where the selector has not the
// label by which the slots differ.
func TestGreenKeepsTheLabels(t *testing.T) {
	const added = prefix + "slot"
	for _, overlap := range []model.OverlapMode{model.Locked, model.Never} {
		for _, more := range [][]string{nil, {"tier"}} {
			t.Run(string(overlap)+" "+labels.FormatLabels(selecting("1", more...).Spec.Selector.MatchLabels), func(t *testing.T) {
				l := newLab(t, workers(3), rolloutOf("1", func(r *model.Rollout) {
					r.Spec.Strategy.Overlap, r.Spec.Desired = overlap, selecting("1", more...)
				}))
				service := labels.SelectorFromSet(l.rollout.Spec.Desired.Spec.Template.Labels)
				for _, tag := range []string{"1", "2", "3"} {
					l.rollout.Spec.Desired = selecting(tag, more...)
					end := l.run()
					require.True(t, end.Complete(), "%+v", end.Conditions)
					s := momentOf(l)
					require.Len(t, s.objects.Pods, 3)
					for _, pod := range s.objects.Pods {
						require.True(t, service.Matches(labels.Set(pod.Labels)), pod.Labels)
						require.Equal(t, end.Pair.Active == model.Green, pod.Labels[added] == "green")
					}
					for _, set := range s.objects.DaemonSets {
						require.Equal(t, set.Name == "agent-green", set.Spec.Selector.MatchLabels[added] == "green", set.Name)
						require.True(t, service.Matches(labels.Set(set.Spec.Template.Labels)), set.Name)
					}
				}
				l.rollout.Spec.Intent = model.OptOut
				l.run()
				sets := momentOf(l).objects.DaemonSets
				require.Len(t, sets, 1, "opt-out ends")
				require.Equal(t, selecting("3", more...).Spec.Template.Labels, sets[0].Spec.Template.Labels)
				require.NotContains(t, sets[0].Spec.Selector.MatchLabels, added)
			})
		}
	}
}

// A pair whose green differs in the selector's only label, as it was made once, goes on as it is.
func TestGreenOfTheOnlyLabel(t *testing.T) {
	for _, from := range []bool{false, true} {
		l := newLab(t, workers(3), rolloutOf("1", func(r *model.Rollout) {
			r.Spec.Desired, r.Spec.Slots.SelectorLabel = selecting("1"), "app"
		}))
		l.run()
		l.rollout.Spec.Desired = selecting("2")
		require.Equal(t, model.Green, l.run().Pair.Active)
		for _, pod := range momentOf(l).objects.Pods {
			require.Equal(t, "agent-green", pod.Labels["app"])
		}
		l.rollout.Spec.Slots.SelectorLabel = ""
		if from {
			l.rollout.Spec.Desired, l.rollout.Spec.DesiredFrom = nil, &model.DesiredFrom{Name: "agent"}
		}
		end := l.step()
		require.True(t, end.Complete(), "%+v", end.Conditions)
		require.Empty(t, end.Actions)
	}
}

// Green's label is the slots' own: a template that has it already cannot be told apart.
func TestGreensLabelIsTaken(t *testing.T) {
	set := selecting("1")
	set.Spec.Template.Labels[prefix+"slot"] = "green"
	snapshot := newLab(t, workers(1), rolloutOf("1", func(r *model.Rollout) { r.Spec.Desired = set }))
	view, err := snapshot.world.Snapshot(start, snapshot.rollout)
	require.NoError(t, err)
	_, err = plan.Render(view)
	require.ErrorContains(t, err, "green's Pods get this label")
}
