package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// handEdits are what a person does to one slot's DaemonSet.
var handEdits = []struct {
	name string
	edit func(*appsv1.DaemonSet, *model.Keys)
}{
	{"as it is", func(*appsv1.DaemonSet, *model.Keys) {}},
	{"command unwrapped", func(set *appsv1.DaemonSet, _ *model.Keys) {
		set.Spec.Template.Spec.Containers[0].Command, set.Spec.Template.Spec.Containers[0].Args = []string{"agent", "run"}, nil
	}},
	{"init containers removed", func(set *appsv1.DaemonSet, _ *model.Keys) { set.Spec.Template.Spec.InitContainers = nil }},
	{"affinity removed", func(set *appsv1.DaemonSet, _ *model.Keys) { set.Spec.Template.Spec.Affinity = nil }},
	{"everything admitted", func(set *appsv1.DaemonSet, keys *model.Keys) {
		terms := set.Spec.Template.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
		for i := range terms {
			for j := range terms[i].MatchExpressions {
				if e := &terms[i].MatchExpressions[j]; e.Key == keys.NodeSlot && e.Operator == corev1.NodeSelectorOpIn {
					e.Values = []string{"blue", "green", "blue-to-green", "green-to-blue"}
				}
			}
		}
	}},
	{"record removed", func(set *appsv1.DaemonSet, keys *model.Keys) {
		for _, key := range keys.OnPair() {
			delete(set.Annotations, key)
		}
	}},
	{"command unwrapped, affinity removed", func(set *appsv1.DaemonSet, _ *model.Keys) {
		set.Spec.Template.Spec.Containers[0].Command, set.Spec.Template.Spec.Affinity = []string{"agent", "run"}, nil
	}},
}

// agreed plans: the validator finds nothing, and a plan without actions says what it waits for, or who has to act.
func (s *moment) agreed(where string, settled map[string]int) *model.Plan {
	snapshot := s.snapshot()
	p, err := plan.Next(snapshot)
	require.NoError(s.t, err)
	require.Empty(s.t, plan.Validate(snapshot, &p), where)
	blocked := meta.FindStatusCondition(p.Conditions, model.ConditionBlocked)
	waits := slices.ContainsFunc(p.Nodes, func(r model.NodeReport) bool { return r.Verdict == model.Waits })
	require.True(s.t, len(p.Actions) > 0 || len(p.Waits) > 0 || waits || p.Complete() || blocked.Status == "True", where)
	switch {
	case len(p.Actions) > 0:
		settled["acts"]++
	case blocked.Reason == string(model.LocksDoNotExclude):
		require.Contains(s.t, blocked.Message, "Put the template right (kubectl -n datadog edit daemonset agent", where)
		settled["blocked"]++
	default:
		settled["waits"]++
	}
	return &p
}

// carryOut writes what the plan writes of DaemonSets, which their controllers see at once, and tells whether there was anything.
func (s *moment) carryOut(p *model.Plan) (wrote bool) {
	for i := range p.Actions {
		w := &p.Actions[i].Write
		if w.Create != nil {
			made := w.Create.DeepCopy()
			made.UID, made.ResourceVersion, made.Generation, made.CreationTimestamp = types.UID("made-"+made.Name), "1", 1, metav1.NewTime(s.now)
			made.Status.ObservedGeneration = 1
			s.objects.DaemonSets, wrote = append(s.objects.DaemonSets, made), true
			continue
		}
		at := slices.IndexFunc(s.objects.DaemonSets, func(set *appsv1.DaemonSet) bool { return w.Object.Kind == "DaemonSet" && set.Name == w.Object.Name })
		if at < 0 || w.Patch == nil {
			continue
		}
		set := s.objects.DaemonSets[at].DeepCopy()
		if set.Annotations == nil {
			set.Annotations = map[string]string{}
		}
		for _, edit := range w.Patch.Annotations {
			if delete(set.Annotations, edit.Key); edit.To != nil {
				set.Annotations[edit.Key] = *edit.To
			}
		}
		if w.Patch.Spec != nil {
			set.Spec = *w.Patch.Spec
			set.Generation++
			set.Status.ObservedGeneration = set.Generation
		}
		s.objects.DaemonSets[at], wrote = set, true
	}
	return wrote
}

// Whatever a person has done to the templates of a pair, the planner proposes nothing that the validator refuses; and where it proposes nothing
// it says what it waits for, or who has to act. What it writes comes to an end.
func TestNextAndValidateAgreeOnHandEdits(t *testing.T) {
	one := intstr.FromInt32(1)
	settled := map[string]int{}
	for _, overlap := range []model.OverlapMode{model.Locked, model.Never} {
		strategy := func(r *model.Rollout) { r.Spec.Strategy.Overlap = overlap }
		steadyLab := newLab(t, workers(2), rolloutOf("1", strategy))
		require.True(t, func() bool { p := steadyLab.run(); return p.Complete() }())
		moments := map[string]*moment{"steady": momentOf(steadyLab)}
		if overlap == model.Locked {
			moments["prepared"] = prepared(t, workers(2), one, strategy)
		}
		for name, at := range moments {
			for _, missing := range []model.Slot{model.NoSlot, model.Blue, model.Green} {
				for _, podless := range []model.Slot{model.NoSlot, model.Blue, model.Green} {
					for _, desired := range []string{"1", "2", "3"} {
						for _, blue := range handEdits {
							for _, green := range handEdits {
								s := *at
								s.objects.DaemonSets, s.objects.Pods = nil, slices.Clone(at.objects.Pods)
								for slot, edit := range map[model.Slot]func(*appsv1.DaemonSet, *model.Keys){model.Blue: blue.edit, model.Green: green.edit} {
									set := at.set(slot).DeepCopy()
									edit(set, &s.keys)
									if slot != missing {
										s.objects.DaemonSets = append(s.objects.DaemonSets, set)
									}
									if slot == missing || slot == podless {
										s.objects.Pods = slices.DeleteFunc(s.objects.Pods, func(pod *corev1.Pod) bool { return model.ControllerUID(pod) == set.UID })
									}
								}
								rollout := *at.rollout
								rollout.Spec.Desired = conventional(desired)
								s.rollout = &rollout
								where := fmt.Sprintf("%s %s, %s missing, %s without Pods, desired %s, blue %s, green %s", overlap, name, missing, podless, desired, blue.name, green.name)
								writes := 0
								for ; writes < 12; writes++ {
									p := s.agreed(where, settled)
									if !s.carryOut(p) {
										break
									}
								}
								require.Less(t, writes, 12, "no end of writes: %s", where)
							}
						}
					}
				}
			}
		}
	}
	t.Log(settled)
	require.Greater(t, settled["acts"], 500)
	require.Greater(t, settled["blocked"], 50)
}
