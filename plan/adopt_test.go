package plan_test

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
)

// deployedBefore is a conventional DaemonSet that has run for an hour before anybody plans, as the API server and its controller keep it.
func deployedBefore(t *testing.T, change ...func(*model.Rollout)) *lab {
	t.Helper()
	set := conventional("1")
	set.UID, set.ResourceVersion, set.Generation = "agent-uid", "1", 1
	set.Annotations = map[string]string{appsv1.DeprecatedTemplateGeneration: "1"}
	set.Status.ObservedGeneration = 1
	grace := int64(30)
	set.Spec.Template.Spec.TerminationGracePeriodSeconds = &grace // which the API server fills in
	l := newLab(t, workers(4), rolloutOf("1", change...), set)
	l.settle()
	l.now = l.now.Add(time.Hour)
	require.Len(t, momentOf(l).objects.Pods, 4)
	return l
}

func podUIDs(l *lab) map[types.UID]bool {
	uids := map[types.UID]bool{}
	for _, pod := range momentOf(l).objects.Pods {
		uids[pod.UID] = true
	}
	return uids
}

// edited is the lab after a person has written another template, under the next generation.
func edited(l *lab, edit func(*appsv1.DaemonSet)) *lab {
	s := momentOf(l)
	set := s.objects.DaemonSets[0]
	edit(set)
	set.Generation++
	set.Annotations[appsv1.DeprecatedTemplateGeneration] += "0"
	set.Status.ObservedGeneration = set.Generation
	return resumed(s)
}

func restart(set *appsv1.DaemonSet) {
	set.Spec.Template.Annotations = map[string]string{"kubectl.kubernetes.io/restartedAt": "2026-01-05T09:00:00Z"}
}

// Taking a DaemonSet over restarts nothing where no wrapper is needed; the next revision is rolled as ever, and so is a restart by hand.
func TestAdoptedAsItIs(t *testing.T) {
	fromDeployed := func(r *model.Rollout) { r.Spec.Desired, r.Spec.DesiredFrom = nil, &model.DesiredFrom{Name: "agent"} }
	given := func(*model.Rollout) {}
	for name, strategy := range map[string]func(*model.Rollout){
		"RollingUpdate": strategyOf(model.RollingUpdate, "", count(1)), "Surge": strategyOf(model.Surge, model.Never, count(1)),
	} {
		for desired, from := range map[string]func(*model.Rollout){"given": given, "deployed": fromDeployed} {
			t.Run(name+" "+desired, func(t *testing.T) {
				l := deployedBefore(t, strategy, from)
				before := podUIDs(l)
				end := l.run()
				require.True(t, end.Complete(), "%+v", end.Conditions)
				require.Equal(t, 4, end.Pair.Updated)
				text, err := plan.Explain(&end, plan.ExplainOptions{})
				require.NoError(t, err)
				require.Contains(t, text, "none of its own: the DaemonSet is kept as it was taken over")
				require.Equal(t, before, podUIDs(l), "no Pod was made anew: %v", l.trace)
				require.Empty(t, momentOf(l).objects.DaemonSets[0].Spec.Template.Annotations)

				again := edited(l, restart)
				if desired == "given" {
					again.rollout.Spec.Desired = momentOf(again).objects.DaemonSets[0].DeepCopy()
				}
				end = again.run()
				require.True(t, end.Complete(), "%+v", end.Conditions)
				for uid := range podUIDs(again) {
					require.NotContains(t, before, uid, "a restart by hand restarts every Pod")
				}

				l.rollout.Spec.DesiredFrom = nil
				l.desire("2")
				end = l.run()
				require.True(t, end.Complete(), "%+v", end.Conditions)
				for _, pod := range momentOf(l).objects.Pods {
					require.Equal(t, "agent:2", pod.Spec.Containers[0].Image)
				}
			})
		}
	}
}

// What differs from the desired template, Pods that are not all of the deployed one, and a strategy that needs the wrapper take a roll.
func TestAdoptedWithARoll(t *testing.T) {
	for name, test := range map[string]struct {
		strategy func(*model.Rollout)
		change   func(*lab) *lab
	}{
		"the wrapper":        {strategyOf(model.Surge, model.Locked, count(1)), func(l *lab) *lab { return l }},
		"a native roll":      {strategyOf(model.RollingUpdate, "", count(1)), func(l *lab) *lab { return edited(l, func(*appsv1.DaemonSet) {}) }},
		"another template":   {strategyOf(model.RollingUpdate, "", count(1)), func(l *lab) *lab { l.desire("2"); return l }},
		"an edit that stays": {strategyOf(model.RollingUpdate, "", count(1)), func(l *lab) *lab { return edited(l, restart) }},
	} {
		t.Run(name, func(t *testing.T) {
			l := test.change(deployedBefore(t, test.strategy))
			before := podUIDs(l)
			end := l.run()
			require.True(t, end.Complete(), "%+v", end.Conditions)
			for uid := range podUIDs(l) {
				require.NotContains(t, before, uid)
			}
		})
	}
}

// Labels and annotations of the desired DaemonSet object are put on the deployed ones, which keep what else they have.
func TestMetadataIsApplied(t *testing.T) {
	for name, strategy := range map[string]func(*model.Rollout){
		"RollingUpdate": strategyOf(model.RollingUpdate, "", count(1)), "Surge": strategyOf(model.Surge, model.Locked, count(1)), "Pair": strategyOf(model.Pair, model.Never, count(1)),
	} {
		t.Run(name, func(t *testing.T) {
			l := deployedBefore(t, strategy)
			end := l.run()
			require.True(t, end.Complete())
			before := podUIDs(l)
			desired := l.rollout.Spec.Desired.DeepCopy()
			desired.Labels = map[string]string{"app.kubernetes.io/instance": "agent", "team": "agents"}
			desired.Annotations = map[string]string{"note": "mine", appsv1.DeprecatedTemplateGeneration: "99"}
			l.rollout.Spec.Desired = desired
			end = l.run()
			require.True(t, end.Complete())
			require.Equal(t, before, podUIDs(l))
			for _, set := range momentOf(l).objects.DaemonSets {
				require.Equal(t, "agents", set.Labels["team"], set.Name)
				require.Equal(t, "mine", set.Annotations["note"], set.Name)
				require.NotEqual(t, "99", set.Annotations[appsv1.DeprecatedTemplateGeneration])
			}
		})
	}
}

// A restart by hand of what a rollout has written is a new revision too, where the deployed DaemonSet says what is desired: it is rolled at the
// rollout's pace, with each strategy.
func TestRestartedByHand(t *testing.T) {
	for name, strategy := range map[string]func(*model.Rollout){
		"RollingUpdate": strategyOf(model.RollingUpdate, "", count(1)), "Surge": strategyOf(model.Surge, model.Locked, count(1)),
		"Pair Locked": strategyOf(model.Pair, model.Locked, count(1)), "Pair Never": strategyOf(model.Pair, model.Never, count(1)),
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, workers(3), rolloutOf("1", strategy))
			end := l.run()
			require.True(t, end.Complete())
			l.rollout.Spec.Desired, l.rollout.Spec.DesiredFrom = nil, &model.DesiredFrom{Name: "agent"}
			before := podUIDs(l)
			s := momentOf(l)
			for _, set := range s.objects.DaemonSets {
				if set.Name == "agent" {
					set.Spec.Template.Annotations["kubectl.kubernetes.io/restartedAt"] = "2026-01-05T09:00:00Z"
					set.Generation++
					set.Status.ObservedGeneration = set.Generation
				}
			}
			l = resumed(s)
			end = l.run()
			require.True(t, end.Complete(), "%+v", end.Conditions)
			for uid := range podUIDs(l) {
				require.NotContains(t, before, uid)
			}
			for _, pod := range momentOf(l).objects.Pods {
				require.Equal(t, "2026-01-05T09:00:00Z", pod.Annotations["kubectl.kubernetes.io/restartedAt"])
			}
			require.Len(t, podUIDs(l), 3)
			end = l.step()
			require.Empty(t, end.Actions, "once")
		})
	}
}
