package plan_test

import (
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// changeState changes what the agent's DaemonSet records.
func (s *scene) changeState(change func(*model.State)) {
	set := s.set("agent")
	state, err := model.ParseState(set.Annotations[slotKeys.State])
	if err != nil {
		panic(err)
	}
	change(&state)
	set.Annotations[slotKeys.State] = state.Text()
}

// specOf returns the spec that the action for the reason writes.
func (s *scene) specOf(reason model.Reason) *appsv1.DaemonSetSpec {
	return s.action(reason, 0).Write.Patch.Spec
}

func (s *scene) withoutKept(reason model.Reason) {
	p := s.action(reason, 0).Write.Patch
	for i := range p.Annotations {
		if e := &p.Annotations[i]; e.Key == slotKeys.Source {
			e.To = nil
		}
	}
}

// On one DaemonSet every case begins with a plan that breaks nothing, too.
func TestValidateFindsOnOneDaemonSet(t *testing.T) {
	rolling := lifeOf(t, workers(5), strategyOf(model.RollingUpdate, "", count(2)))
	surge := lifeOf(t, workers(5), strategyOf(model.Surge, model.Locked, count(2)))
	small := lifeOf(t, tight(3), strategyOf(model.Surge, model.Locked, count(1)))
	other, key := "other", "example.com/other"
	violations{
		{"an available node above the budget", rolling, model.StaleRevision, 2, func(s *scene) { budgetOf(1)(s.rollout) }, plan.S2, "1 committed + 0 ambient − 0 exempt + 1 > maxUnavailable 1"},
		{"an unavailable node takes a seat", rolling, model.StaleRevision, 2, func(s *scene) {
			budgetOf(1)(s.rollout)
			s.unready("n1", model.Blue)
			s.unready("n2", model.Blue)
		}, plan.S2, "1 committed + 1 > maxUnavailable 1"},
		{"a Pod that has only just become Ready serves", rolling, model.StaleRevision, 2, func(s *scene) {
			budgetOf(1)(s.rollout)
			pod := s.pod("n1", model.Blue)
			for i := range pod.Status.Conditions {
				pod.Status.Conditions[i].LastTransitionTime = s.rollout.Status.ObservedAt
			}
			s.unready("n5", model.Blue)
		}, plan.S2, "Pod is Ready and would go"},
		{"the native controller may delete", surge, model.NewRevision, 1, func(s *scene) {
			s.specOf(model.NewRevision).UpdateStrategy.RollingUpdate.MaxUnavailable = number(1)
		}, plan.S2, "would have maxUnavailable 1"},
		{"the native controller is started for a delete-first update", rolling, model.NewRevision, 1, func(s *scene) {
			s.specOf(model.NewRevision).UpdateStrategy.Type = appsv1.RollingUpdateDaemonSetStrategyType
		}, plan.S2, "rolled delete-first"},
		{"the native controller goes on in a pause", surge, model.NewRevision, 1, func(s *scene) { s.rollout.Spec.Strategy.Paused = true }, plan.S2, "paused or frozen"},
		{"the native controller replaces unready Pods", surge, model.NewRevision, 1, func(s *scene) {
			for _, node := range names(1, 3) {
				s.unready(node, model.Blue)
			}
		}, plan.S2, "every unready Pod at once"},

		{"the next Pod never fits", rolling, model.StaleRevision, 1, func(s *scene) {
			s.node("n1").Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("100m")
		}, plan.S4, "there is no room for the next one"},
		{"the next Pod would evict a workload, which is not allowed", rolling, model.StaleRevision, 1, func(s *scene) {
			high := int32(1000)
			s.pod("n1", model.Blue).Spec.Priority = &high
			s.objects.Pods = append(s.objects.Pods, tenant("n1", "300m"))
			s.node("n1").Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("600m")
		}, plan.S4, "cpu: wants 400m, free 300m"},
		{"live Pods of the revision ask for more than the template", rolling, model.StaleRevision, 1, func(s *scene) {
			twin := s.twin("n5")
			twin.Annotations = s.set("agent").Spec.Template.Annotations
			twin.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("700m")
			s.node("n1").Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("600m")
		}, plan.S4, "cpu: wants 900m, the whole node has 600m"},
		{"the kubelet evicts", rolling, model.StaleRevision, 1, func(s *scene) {
			s.node("n1").Status.Conditions = append(s.node("n1").Status.Conditions, corev1.NodeCondition{Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue})
		}, plan.S4, "the kubelet evicts Pods here"},
		{"the Node is not Ready", rolling, model.StaleRevision, 1, func(s *scene) {
			s.node("n1").Status.Conditions[0].Status = corev1.ConditionUnknown
		}, plan.S4, "nothing would come"},
		{"the native controller is not stopped", rolling, model.StaleRevision, 1, func(s *scene) {
			s.set("agent").Spec.UpdateStrategy.Type = appsv1.RollingUpdateDaemonSetStrategyType
		}, plan.S4, "not known to be stopped"},
		{"the controller has not seen the template", rolling, model.StaleRevision, 1, func(s *scene) {
			s.set("agent").Generation++
		}, plan.S4, "makes the same Pod again"},
		{"a Pod that goes already", rolling, model.StaleRevision, 1, func(s *scene) {
			s.pod("n1", model.Blue).DeletionTimestamp = &s.rollout.Status.ObservedAt
		}, plan.S4, "terminating or over"},
		{"a Pod of the template's revision that serves", rolling, model.StaleRevision, 1, func(s *scene) {
			s.pod("n1", model.Blue).Annotations = s.set("agent").Spec.Template.Annotations
		}, plan.S4, "and is available"},
		{"a Pod of the template's revision that starts", rolling, model.StaleRevision, 1, func(s *scene) {
			s.pod("n1", model.Blue).Annotations = s.set("agent").Spec.Template.Annotations
			s.unready("n1", model.Blue)
		}, plan.S4, "nothing else serves"},
		{"another new Pod is there", rolling, model.StaleRevision, 1, func(s *scene) {
			s.unready("n1", model.Blue)
			s.twin("n1").Annotations = s.set("agent").Spec.Template.Annotations
		}, plan.S4, "which the controller deletes"},
		{"the replacement has restarted", surge, model.HandoffPrepared, 1, func(s *scene) {
			s.fresh("n1").Status.ContainerStatuses[0].RestartCount = 1
		}, plan.S4, "not prepared"},
		{"the replacement waits for no lock", surge, model.HandoffPrepared, 1, func(s *scene) {
			s.rollout.Spec.Strategy.Overlap = model.Never
		}, plan.S4, "waits for no lock"},
		{"the replacement waits for other locks", surge, model.HandoffPrepared, 1, func(s *scene) {
			s.fresh("n1").Spec.Containers[0].Command = []string{"agent", "run"}
		}, plan.S4, "locks of this one"},
		{"the replacement runs another image", surge, model.HandoffPrepared, 1, func(s *scene) {
			s.fresh("n1").Spec.Containers[0].Image = other
		}, plan.S4, "template's containers and images"},
		{"there is no replacement", surge, model.HandoffPrepared, 1, func(s *scene) {
			s.fresh("n1").DeletionTimestamp = &s.rollout.Status.ObservedAt
		}, plan.S4, "exactly one Pod of each"},
		{"capacity that cannot be judged", small, model.CapacityFallback, 1, func(s *scene) {
			s.rollout.Status.OtherPods = model.OtherPods{}
		}, plan.S4, "NeedPods"},
		{"the scheduler makes room for the replacement", small, model.CapacityFallback, 1, func(s *scene) {
			node := s.action(model.CapacityFallback, 0).Node
			s.fresh(node).Status.NominatedNodeName = node
		}, plan.S4, "nominated the node"},
		{"a Pod that ends gives room to the replacement", small, model.CapacityFallback, 1, func(s *scene) {
			node, high := s.action(model.CapacityFallback, 0).Node, int32(1000)
			s.fresh(node).Spec.Priority = &high
			victim := tenant(node, "50m")
			victim.DeletionTimestamp = &s.rollout.Status.ObservedAt
			s.objects.Pods = append(s.objects.Pods, victim)
		}, plan.S4, "ends, and gives room"},
		{"what serves nowhere is proven", surge, model.EmptiedNoted, 1, func(s *scene) {
			provenAtOnce(s.snapshot(t), &s.plan)
		}, plan.S4, "serves on no node"},

		{"the template that serves is not kept", rolling, model.NewRevision, 1, func(s *scene) { s.withoutKept(model.NewRevision) }, plan.S5, "would not be kept"},
		{"another template is kept", rolling, model.NewRevision, 1, func(s *scene) {
			s.set("agent").Spec.Template.Spec.Containers[0].Image = other
		}, plan.S5, "not the one that serves"},
		{"the kept template is given up too early", surge, model.EmptiedNoted, 1, func(s *scene) { forgetSource(s.snapshot(t), &s.plan) }, plan.S5, "given up while"},
		{"the last proven template is given up", rolling, model.NewRevision, 1, func(s *scene) {
			s.changeState(func(state *model.State) { state.TargetSince, state.Proven = &s.rollout.Status.ObservedAt, "" })
			state := s.set("agent").Annotations[slotKeys.State]
			s.editState(model.NewRevision, &state)
		}, plan.S5, "last proven template"},
		{"template and strategy at once", rolling, model.NewRevision, 1, func(s *scene) {
			s.specOf(model.NewRevision).UpdateStrategy.Type = appsv1.RollingUpdateDaemonSetStrategyType
		}, plan.S5, "in one write"},
		{"a return to another template", rolling, model.NewRevision, 1, func(s *scene) {
			s.plan.Revision = other
			s.returns(model.ReturnFailed)
		}, plan.S5, "another template than the kept one"},
		{"a return that remembers no failure", rolling, model.NewRevision, 1, func(s *scene) { s.returns(model.ReturnFailed) }, plan.S5, "and the failed revision is not"},
		{"what is kept is not readable", rolling, model.StaleRevision, 1, func(s *scene) {
			s.set("agent").Annotations[slotKeys.Source] = "{"
			s.plan.Actions = append(s.plan.Actions, model.Action{Kind: model.UpdateSlot, Write: update(s.set("agent"), nil)})
		}, plan.Form, "former template is not readable"},
		{"a state that nobody could read", rolling, model.NewRevision, 1, func(s *scene) { s.editState(model.NewRevision, &other) }, plan.Form, "would not be readable"},
		{"a state that is not readable", rolling, model.StaleRevision, 1, func(s *scene) { s.set("agent").Annotations[slotKeys.State] = "{" }, plan.Form, "not readable"},

		{"a delete that tests no UID", rolling, model.StaleRevision, 1, func(s *scene) { s.action(model.StaleRevision, 0).Write.Object.UID = "" }, plan.S6, "UID"},
		{"the spec changed meanwhile", surge, model.NewRevision, 1, func(s *scene) { s.set("agent").Generation++ }, plan.S6, "generation"},
		{"the node's last action does not show yet", rolling, model.StaleRevision, 1, func(s *scene) {
			s.rollout.Status.Issued = []model.Issued{{Action: *s.action(model.StaleRevision, 0)}}
		}, plan.S7, "do not show yet"},
		{"an issued deletion is charged", rolling, model.StaleRevision, 2, func(s *scene) {
			budgetOf(1)(s.rollout)
			s.rollout.Status.Issued = []model.Issued{{Action: *s.action(model.StaleRevision, 0)}}
			s.plan.Actions = s.plan.Actions[len(s.plan.Actions)-1:]
		}, plan.S2, "1 committed + 0 ambient"},
		{"a predecessor's request can still land", rolling, model.StaleRevision, 1, func(s *scene) {
			s.rollout.Status.Executor = model.Executor{ID: "two", Since: s.rollout.Status.ObservedAt}
		}, plan.S7, "predecessor"},
		{"a handover to what is not desired any more", rolling, model.StaleRevision, 1, func(s *scene) { s.plan.Revision = other }, plan.S8, "a handover to revision"},
		{"a node is written", rolling, model.StaleRevision, 1, func(s *scene) {
			node := s.node("n1")
			s.action(model.StaleRevision, 0).Write = model.Write{
				Object: model.ObjectRef{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID}, Patch: &model.Patch{ResourceVersion: node.ResourceVersion},
			}
		}, plan.S9, "writes no node"},
		{"another's annotation", surge, model.NewRevision, 1, func(s *scene) {
			p := s.action(model.NewRevision, 0).Write.Patch
			p.Annotations = append(p.Annotations, model.Edit{Key: key, To: &other})
		}, plan.S9, key},
		{"a Pod of a node that is not eligible", rolling, model.StaleRevision, 1, func(s *scene) {
			s.node("n1").Spec.Taints = []corev1.Taint{{Key: "special", Effect: corev1.TaintEffectNoSchedule}}
		}, plan.S9, "not the rollout's to delete"},
		{"more surge than the window", surge, model.NewRevision, 1, func(s *scene) {
			s.specOf(model.NewRevision).UpdateStrategy.RollingUpdate.MaxSurge = number(3)
		}, plan.S11, "maxSurge 3"},
		{"more writes than maxWrites", rolling, model.StaleRevision, 2, func(s *scene) {
			one := int32(1)
			s.rollout.Spec.Strategy.MaxWrites = &one
		}, plan.S11, "3 writes > maxWrites 1"},
		{"a node without a report", rolling, model.StaleRevision, 1, func(s *scene) { s.plan.Nodes = s.plan.Nodes[:4] }, plan.S13, "has no report"},
		{"a node that is Done too early", rolling, model.StaleRevision, 1, func(s *scene) { s.report("n5").Verdict = model.Done }, plan.S13, "its report is Done"},
		{"a live Pod has no lock", surge, model.NewRevision, 1, func(s *scene) {
			s.pod("n1", model.Blue).Spec.Containers[0].Command = []string{"agent", "run"}
		}, plan.S14, "the locks of Pod"},
		{"Pods keep each other off", surge, model.NewRevision, 1, func(s *scene) {
			term := corev1.PodAffinityTerm{TopologyKey: corev1.LabelHostname, LabelSelector: s.set("agent").Spec.Selector}
			s.pod("n1", model.Blue).Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term}}}
		}, plan.S14, "is scheduled beside"},
		{"nothing to do and nothing said", rolling, model.StaleRevision, 1, func(s *scene) {
			s.plan.Actions, s.plan.Waits, s.plan.Nodes = nil, nil, nil
		}, plan.L3, "no wait and no block"},
	}.find(t)
}

// What the rules let pass on one DaemonSet.
func TestValidateLetsPassOnOneDaemonSet(t *testing.T) {
	rolling := lifeOf(t, workers(5), strategyOf(model.RollingUpdate, "", count(2)))
	one := intstr.FromInt32(1)
	for name, change := range map[string]func(*scene){
		"an old Pod next to an available new one": func(s *scene) {
			s.twin("n1").Annotations = s.set("agent").Spec.Template.Annotations
		},
		"a handover to a revision that returns": func(s *scene) {
			s.plan.Revision = "other"
			s.changeState(func(state *model.State) {
				state.Return = &model.Return{Cause: model.ReturnSuperseded, Since: s.rollout.Status.ObservedAt}
			})
		},
		"an old Pod that is broken since before, exempt": func(s *scene) {
			s.rollout.Spec.Strategy.ExemptUnhealthy = &one
			s.unready("n5", model.Blue)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := with(t, rolling, model.StaleRevision, 2)
			change(s)
			require.Empty(t, s.validate(t))
		})
	}
}

// twin puts a copy of the node's Pod next to it.
func (s *scene) twin(node string) *corev1.Pod {
	pod := s.pod(node, model.Blue).DeepCopy()
	pod.Name, pod.UID = pod.Name+"-twin", pod.UID+"-twin"
	s.objects.Pods = append(s.objects.Pods, pod)
	return pod
}

// fresh returns the node's Pod of the template's revision.
func (s *scene) fresh(node string) *corev1.Pod {
	revision := s.set("agent").Spec.Template.Annotations[slotKeys.Revision]
	for _, pod := range s.objects.Pods {
		if at, _ := model.NodeOf(pod); at == node && pod.Annotations[slotKeys.Revision] == revision {
			return pod
		}
	}
	panic("no such Pod on " + node)
}

// editState lets the action for the reason write that state.
func (s *scene) editState(reason model.Reason, state *string) {
	edit := model.Edit{Key: slotKeys.State, To: state}
	if present, ok := s.set("agent").Annotations[slotKeys.State]; ok {
		edit.From = &present
	}
	p := s.action(reason, 0).Write.Patch
	for i := range p.Annotations {
		if p.Annotations[i].Key == slotKeys.State {
			p.Annotations[i] = edit
			return
		}
	}
	p.Annotations = append(p.Annotations, edit)
}

// returns lets the new revision be written as a return.
func (s *scene) returns(cause model.ReturnCause) {
	state, err := model.ParseState(s.set("agent").Annotations[slotKeys.State])
	if err != nil {
		panic(err)
	}
	state.Return = &model.Return{Cause: cause, Since: s.rollout.Status.ObservedAt}
	text := state.Text()
	s.editState(model.NewRevision, &text)
}
