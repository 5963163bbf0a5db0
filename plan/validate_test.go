package plan_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A whole life, plan by plan, breaks nothing: with locks, without, and by the capacity rule.
func TestValidateAcceptsALife(t *testing.T) {
	lives := map[string]struct {
		nodes  []*corev1.Node
		change []func(*model.Rollout)
		passes model.Reason
	}{
		"locked":       {workers(5), []func(*model.Rollout){budgetOf(2)}, model.HandoffPrepared},
		"never":        {workers(5), []func(*model.Rollout){budgetOf(2), never}, model.ReleaseSource},
		"by capacity":  {tight(3), nil, model.CapacityFallback},
		"with a fence": {workers(3), []func(*model.Rollout){fenced}, model.HandoffPrepared},
	}
	for name, life := range lives {
		t.Run(name, func(t *testing.T) {
			scenes := lifeOf(t, life.nodes, life.change...)
			with(t, scenes, life.passes, 1)
			for i := range scenes {
				require.Empty(t, scenes[i].validate(t), "scene %d, phase %s", i, scenes[i].plan.Phase)
			}
		})
	}
}

func fenced(r *model.Rollout) {
	r.Status.Executor = model.Executor{ID: "one", Since: metav1.NewTime(start), Listed: true}
}

// Every case begins with a plan that breaks nothing, and changes it or the cluster under it.
func TestValidateFinds(t *testing.T) {
	locked, released, byCapacity := lifeOf(t, workers(5), budgetOf(2)), lifeOf(t, workers(5), budgetOf(2), never), lifeOf(t, tight(3))
	other, absent := "other", (*string)(nil)
	tests := violations{
		{"two forms", locked, model.BeginOverlap, 1, func(s *scene) {
			s.action(model.BeginOverlap, 0).Write.Delete = &model.Delete{}
		}, plan.Form, "exactly one"},
		{"no form", locked, model.BeginOverlap, 1, func(s *scene) { s.action(model.BeginOverlap, 0).Write.Patch = nil }, plan.Form, "exactly one"},
		{"an object that is not there", locked, model.NewRevision, 1, func(s *scene) {
			s.action(model.NewRevision, 0).Write.Object.Name = "gone"
		}, plan.Form, "not in the snapshot"},
		{"an action that names another node", locked, model.BeginOverlap, 1, func(s *scene) {
			s.action(model.BeginOverlap, 0).Node = "n5"
		}, plan.Form, "not in the snapshot"},
		{"two actions on one node", locked, model.BeginOverlap, 2, func(s *scene) {
			s.plan.Actions = append(s.plan.Actions, s.plan.Actions[0])
		}, plan.Form, "has action 0 already"},
		{"a plan that is Blocked and acts", locked, model.BeginOverlap, 1, func(s *scene) {
			s.plan.Condition(model.ConditionBlocked).Status = metav1.ConditionTrue
		}, plan.Form, "Blocked"},
		{"another rollout's plan", locked, model.BeginOverlap, 1, func(s *scene) { s.plan.Name = other }, plan.Form, "datadog/other"},
		{"no phase", locked, model.BeginOverlap, 1, func(s *scene) { s.plan.Phase = "" }, plan.Form, "no phase"},
		{"a spec for a node", locked, model.BeginOverlap, 1, func(s *scene) {
			s.action(model.BeginOverlap, 0).Write.Patch.Spec = &appsv1.DaemonSetSpec{}
		}, plan.Form, "spec"},
		{"a record that contradicts itself", locked, model.BeginOverlap, 1, func(s *scene) {
			s.set("agent").Annotations[slotKeys.TargetRevision] = other
		}, plan.Form, "different targets"},
		{"a state that is not readable", locked, model.BeginOverlap, 1, func(s *scene) {
			s.set("agent").Annotations[slotKeys.State] = "{"
		}, plan.Form, "not readable"},

		{"an available node above the budget", locked, model.HandoffPrepared, 2, func(s *scene) { budgetOf(1)(s.rollout) }, plan.S2, "1 committed + 0 ambient − 0 exempt + 1 > maxUnavailable 1"},
		{"an ambient node is charged", locked, model.HandoffPrepared, 2, func(s *scene) { s.unready("n5", model.Blue) }, plan.S2, "1 committed + 1 ambient − 0 exempt + 1 > maxUnavailable 2"},
		{"an exempt node cannot be one whose Pod is younger than the target", locked, model.HandoffPrepared, 2, func(s *scene) {
			one := intstr.FromInt32(1)
			s.rollout.Spec.Strategy.ExemptUnhealthy = &one
			s.unready("n5", model.Blue)
			s.pod("n5", model.Blue).CreationTimestamp = s.rollout.Status.ObservedAt
		}, plan.S2, "1 ambient − 0 exempt"},
		{"a free handoff takes a seat", locked, model.HandoffPrepared, 2, func(s *scene) {
			budgetOf(1)(s.rollout)
			s.unready("n1", model.Blue)
			s.unready("n2", model.Blue)
		}, plan.S2, "1 committed + 1 > maxUnavailable 1"},
		{"an issued handoff is charged", locked, model.HandoffPrepared, 2, func(s *scene) {
			budgetOf(1)(s.rollout)
			s.rollout.Status.Issued = []model.Issued{{Action: *s.action(model.HandoffPrepared, 0)}}
			s.plan.Actions = slices.DeleteFunc(s.plan.Actions, func(a model.Action) bool { return a.Node == "n1" })
		}, plan.S2, "1 committed + 0 ambient"},
		{"a release above the budget", released, model.ReleaseSource, 2, func(s *scene) { budgetOf(1)(s.rollout) }, plan.S2, "maxUnavailable 1"},
		{"a Pod that has only just become Ready does not serve", locked, model.HandoffPrepared, 2, func(s *scene) {
			pod := s.pod("n5", model.Blue)
			for i := range pod.Status.Conditions {
				pod.Status.Conditions[i].LastTransitionTime = s.rollout.Status.ObservedAt
			}
		}, plan.S2, "1 ambient"},
		{"a Pod that is turned away does not serve", locked, model.HandoffPrepared, 2, func(s *scene) {
			s.node("n5").Labels[slotKeys.NodeSlot] = "green"
		}, plan.S2, "2 committed"},

		{"no candidate is recorded", locked, model.HandoffPrepared, 1, func(s *scene) {
			delete(s.node("n1").Annotations, slotKeys.NodeCandidate)
		}, plan.S4, "prepared and recorded"},
		{"the candidate is another Pod", locked, model.HandoffPrepared, 1, func(s *scene) { s.pod("n1", model.Green).UID = "new" }, plan.S4, "prepared and recorded"},
		{"the candidate has restarted", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.pod("n1", model.Green).Status.ContainerStatuses[0].RestartCount = 1
		}, plan.S4, "prepared and recorded"},
		{"the candidate is terminating", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.pod("n1", model.Green).DeletionTimestamp = &s.rollout.Status.ObservedAt
		}, plan.S4, "prepared and recorded"},
		{"the candidate has another revision", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.pod("n1", model.Green).Annotations[slotKeys.Revision] = other
		}, plan.S4, "prepared and recorded"},
		{"from source to target without overlap", locked, model.BeginOverlap, 1, func(s *scene) {
			green := "green"
			s.action(model.BeginOverlap, 0).Write.Patch.Labels[0].To = &green
		}, plan.S4, "was not admitted before"},
		{"released although both sides are wrapped", locked, model.BeginOverlap, 1, func(s *scene) {
			word := "released-to-green"
			s.action(model.BeginOverlap, 0).Write.Patch.Labels[0].To = &word
		}, plan.S4, "both sides are wrapped"},
		{"the target is admitted while the source's Pod is there", released, model.ReleaseSource, 1, func(s *scene) {
			green := "green"
			s.action(model.ReleaseSource, 0).Write.Patch.Labels[0].To = &green
		}, plan.S14, "slot green is admitted while Pod agent-"},
		{"a label that admits nobody", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.action(model.HandoffPrepared, 0).Write.Patch.Labels[0].To = &other
		}, plan.S4, "admits no slot"},
		{"capacity that cannot be judged", byCapacity, model.CapacityFallback, 1, func(s *scene) {
			s.rollout.Status.OtherPods = model.OtherPods{}
		}, plan.S4, "NeedPods"},
		{"the scheduler makes room for the target", byCapacity, model.CapacityFallback, 1, func(s *scene) {
			node := s.action(model.CapacityFallback, 0).Node
			s.pod(node, model.Green).Status.NominatedNodeName = node
		}, plan.S4, "nominated the node"},
		{"a Pod that ends gives room to the target", byCapacity, model.CapacityFallback, 1, func(s *scene) {
			node, high := s.action(model.CapacityFallback, 0).Node, int32(1000)
			s.pod(node, model.Green).Spec.Priority = &high
			victim := tenant(node, "50m")
			victim.DeletionTimestamp = &s.rollout.Status.ObservedAt
			s.objects.Pods = append(s.objects.Pods, victim)
		}, plan.S4, "ends, and gives room"},
		{"capacity that would not suffice", byCapacity, model.CapacityFallback, 1, func(s *scene) {
			node := s.action(model.CapacityFallback, 0).Node
			s.node(node).Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("100m")
		}, plan.S4, "NeverFits"},
		{"an available source Pod is deleted", locked, model.BeginOverlap, 1, func(s *scene) {
			pod := s.pod("n1", model.Blue)
			s.action(model.BeginOverlap, 0).Write = podDeletion(pod)
		}, plan.S4, "available and not stale"},

		{"the source's template changes", locked, model.OwnershipMoved, 1, func(s *scene) {
			s.action(model.OwnershipMoved, 0).Write = update(s.set("agent"), func(spec *appsv1.DaemonSetSpec) { spec.Template.Spec.Containers[0].Image = other })
		}, plan.S5, "template of the source agent"},
		{"the source is deleted", locked, model.OwnershipMoved, 1, func(s *scene) {
			w := update(s.set("agent"), nil)
			w.Patch, w.Delete = nil, &model.Delete{Propagation: metav1.DeletePropagationForeground}
			s.action(model.OwnershipMoved, 0).Write = w
		}, plan.S5, "would be deleted"},

		{"an edit of a template is not remembered", locked, model.OwnershipMoved, 1, func(s *scene) {
			set := s.set("agent-green")
			set.Annotations[appsv1.DeprecatedTemplateGeneration] = "7"
			s.action(model.OwnershipMoved, 0).Write = update(set, func(spec *appsv1.DaemonSetSpec) { spec.Template.Spec.Containers[0].Image = other })
		}, plan.S5, "generation 7 of the template of DaemonSet agent-green"},

		{"no UID", locked, model.BeginOverlap, 1, func(s *scene) { s.action(model.BeginOverlap, 0).Write.Object.UID = "" }, plan.S6, "UID"},
		{"another UID", locked, model.BeginOverlap, 1, func(s *scene) { s.node("n1").UID = "again" }, plan.S6, `UID "again"`},
		{"the label was edited meanwhile", locked, model.HandoffPrepared, 1, func(s *scene) { s.node("n1").Labels[slotKeys.NodeSlot] = "blue" }, plan.S6, `is "blue"`},
		{"no former value is tested", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.action(model.HandoffPrepared, 0).Write.Patch.Labels[0].From = absent
		}, plan.S6, "tests absent"},
		{"a handoff without resourceVersion", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.action(model.HandoffPrepared, 0).Write.Patch.ResourceVersion = ""
		}, plan.S6, "without the Node's resourceVersion"},
		{"the Node changed meanwhile", locked, model.HandoffPrepared, 1, func(s *scene) { s.node("n1").ResourceVersion = "999999" }, plan.S6, "at resourceVersion 999999"},
		{"the candidate survives the label", locked, model.HandoffPrepared, 1, func(s *scene) {
			p := s.action(model.HandoffPrepared, 0).Write.Patch
			p.Annotations = slices.DeleteFunc(p.Annotations, func(e model.Edit) bool { return e.Key == slotKeys.NodeCandidate })
		}, plan.S6, "the candidate"},
		{"no mark beside the label", locked, model.HandoffPrepared, 1, func(s *scene) {
			p := s.action(model.HandoffPrepared, 0).Write.Patch
			p.Annotations = slices.DeleteFunc(p.Annotations, func(e model.Edit) bool { return e.Key == slotKeys.NodeMoved })
		}, plan.S6, slotKeys.NodeMoved},
		{"a map that is there is taken for missing", locked, model.BeginOverlap, 1, func(s *scene) {
			s.action(model.BeginOverlap, 0).Write.Patch.NoLabels = true
		}, plan.S6, "labels"},
		{"the spec changed meanwhile", locked, model.NewRevision, 1, func(s *scene) { s.set("agent-green").Generation++ }, plan.S6, "generation"},
		{"the name is taken", locked, model.SlotMissing, 1, func(s *scene) {
			taken := s.action(model.SlotMissing, 0).Write.Create.DeepCopy()
			taken.UID, taken.ResourceVersion = "taken", "1"
			s.objects.DaemonSets = append(s.objects.DaemonSets, taken)
		}, plan.S6, "exists already"},

		{"the node's last action does not show yet", locked, model.BeginOverlap, 1, func(s *scene) {
			s.rollout.Status.Issued = []model.Issued{{Action: *s.action(model.BeginOverlap, 0)}}
		}, plan.S7, "do not show yet"},
		{"a predecessor's request can still land", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.rollout.Status.Executor = model.Executor{ID: "two", Since: s.rollout.Status.ObservedAt, RequestTimeout: metav1.Duration{Duration: time.Minute}}
		}, plan.S7, "predecessor"},

		{"a handoff to what is not desired any more", locked, model.HandoffPrepared, 1, func(s *scene) { s.plan.Revision = other }, plan.S8, "proven false"},
		{"a proven target, when the source's revision is desired", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.plan.Revision = s.set("agent").Annotations[slotKeys.Revision]
			s.prove()
		}, plan.S8, "proven true"},

		{"a foreign label", locked, model.BeginOverlap, 1, func(s *scene) {
			p := s.action(model.BeginOverlap, 0).Write.Patch
			p.Labels = append(p.Labels, model.Edit{Key: "kubernetes.io/hostname", From: p.Labels[0].To, To: &other})
		}, plan.S9, "kubernetes.io/hostname"},
		{"a foreign Pod", locked, model.BeginOverlap, 1, func(s *scene) {
			pod := s.pod("n1", model.Blue)
			pod.OwnerReferences[0].UID = "somebody"
			s.action(model.BeginOverlap, 0).Write = podDeletion(pod)
		}, plan.S9, "somebody"},
		{"a foreign DaemonSet", locked, model.NewRevision, 1, func(s *scene) {
			s.set("agent-green").OwnerReferences[0].UID = "somebody"
		}, plan.S9, "somebody"},
		{"a DaemonSet of another name", locked, model.SlotMissing, 1, func(s *scene) {
			s.action(model.SlotMissing, 0).Write.Create.Name = other
		}, plan.S9, "the slots are agent and agent-green"},
		{"a DaemonSet without the owner", locked, model.SlotMissing, 1, func(s *scene) {
			s.action(model.SlotMissing, 0).Write.Create.OwnerReferences = nil
		}, plan.S9, "owner-uid"},
		{"a node that is not eligible any more", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.node("n1").Spec.Taints = []corev1.Taint{{Key: "special", Effect: corev1.TaintEffectNoSchedule}}
		}, plan.S9, "not eligible"},
		{"a bound Pod of such a node", locked, model.HandoffPrepared, 1, func(s *scene) {
			s.node("n1").Spec.Taints = []corev1.Taint{{Key: "special", Effect: corev1.TaintEffectNoSchedule}}
			s.action(model.HandoffPrepared, 0).Write = podDeletion(s.pod("n1", model.Blue))
		}, plan.S9, "not the rollout's to delete"},

		{"more overlap than the window", locked, model.BeginOverlap, 2, func(s *scene) {
			one := intstr.FromInt32(1)
			s.rollout.Spec.Strategy.MaxSurge = &one
		}, plan.S11, "2 nodes in overlap > the window of 1"},
		{"more writes than maxWrites", locked, model.BeginOverlap, 2, func(s *scene) {
			one := int32(1)
			s.rollout.Spec.Strategy.MaxWrites = &one
		}, plan.S11, "> maxWrites 1"},
		{"more nodes off the source than the cohort", locked, model.BeginOverlap, 2, func(s *scene) {
			four := intstr.FromInt32(4)
			s.rollout.Spec.Strategy.Partition = &four
		}, plan.Cohort, "2 nodes off the source > the cohort of 1"},

		{"a node without a report", locked, model.BeginOverlap, 1, func(s *scene) {
			s.plan.Nodes = slices.DeleteFunc(s.plan.Nodes, func(r model.NodeReport) bool { return r.Node == "n5" })
		}, plan.S13, "has no report"},
		{"a node that is Done too early", locked, model.BeginOverlap, 1, func(s *scene) { s.report("n5").Verdict = model.Done }, plan.S13, "its report is Done"},
		{"two reports of a node", locked, model.BeginOverlap, 1, func(s *scene) {
			s.plan.Nodes = append(s.plan.Nodes, *s.report("n5"))
		}, plan.S13, "a second report"},
		{"a report of no node", locked, model.BeginOverlap, 1, func(s *scene) { s.report("n5").Node = "n9" }, plan.S13, "not in the snapshot"},
		{"an action without a report", locked, model.BeginOverlap, 1, func(s *scene) {
			r := s.report("n1")
			r.Verdict, r.Action = model.Waits, 0
		}, plan.S13, "no report points at"},
		{"a report that points elsewhere", locked, model.BeginOverlap, 2, func(s *scene) { s.report("n1").Action = 2 }, plan.S13, "not of this node"},
		{"a report that points nowhere", locked, model.BeginOverlap, 1, func(s *scene) { s.report("n1").Action = 99 }, plan.S13, "not of this node"},
		{"a wait that points at an action", locked, model.BeginOverlap, 1, func(s *scene) { s.report("n1").Verdict = model.Waits }, plan.S13, "names action 0"},

		{"a Pod without a controller has no lock", locked, model.BeginOverlap, 1, func(s *scene) {
			lost := s.pod("n1", model.Blue).DeepCopy()
			lost.Name, lost.UID, lost.OwnerReferences = "agent-lost", "uid-lost", nil
			lost.Spec.Containers[0].Command = []string{"agent", "run"}
			s.objects.Pods = append(s.objects.Pods, lost)
		}, plan.S14, "do not exclude"},
		{"a Pod without locks ends where the DaemonSet is made", locked, model.SlotMissing, 1, func(s *scene) {
			s.objects.Pods = append(s.objects.Pods, ending(s, "agent-ends"))
		}, plan.S14, "Pod agent-ends ends"},
		{"a Pod of the deleted DaemonSet has no lock", locked, model.SlotMissing, 1, func(s *scene) {
			controller := true
			former := ending(s, "agent-former")
			former.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "DaemonSet", Name: s.action(model.SlotMissing, 0).Write.Create.Name, UID: "gone", Controller: &controller}}
			s.objects.Pods = append(s.objects.Pods, former)
		}, plan.S14, "Pod agent-former ends"},

		{"the source's Pod has no lock", locked, model.BeginOverlap, 1, func(s *scene) {
			s.pod("n1", model.Blue).Spec.Containers[0].Command = []string{"agent", "run"}
		}, plan.S14, "do not exclude"},

		{"nothing to do and nothing said", locked, model.BeginOverlap, 1, func(s *scene) {
			s.plan.Actions, s.plan.Waits, s.plan.Nodes = nil, nil, nil
		}, plan.L3, "no wait and no block in phase Advancing"},
	}
	killed := tests.find(t)
	for _, property := range plan.Properties() {
		require.True(t, killed[property], "no case breaks %s", property)
	}
}

// violations are cases that each begin with a plan of the life that breaks nothing, and has so many actions for the reason. The change
// must break the property, in words that the text is part of.
type violations []struct {
	name   string
	life   []scene
	reason model.Reason
	count  int
	change func(*scene)
	want   plan.Property
	says   string
}

// find lets the validator find every one, and returns the properties that were broken.
func (list violations) find(t *testing.T) map[plan.Property]bool {
	killed := map[plan.Property]bool{}
	for _, test := range list {
		t.Run(test.name, func(t *testing.T) {
			s := with(t, test.life, test.reason, test.count)
			require.Empty(t, s.validate(t), "before the change")
			test.change(s)
			found := s.validate(t)
			require.True(t, slices.ContainsFunc(found, func(v plan.Violation) bool {
				return v.Property == test.want && strings.Contains(v.Error(), test.says)
			}), "want %s with %q, found %v", test.want, test.says, found)
			killed[test.want] = true
		})
	}
	return killed
}

// What the rules let pass, so that the cases above do not hold for a wrong cause.
func TestValidateLetsPass(t *testing.T) {
	locked := lifeOf(t, workers(5), budgetOf(2))
	one := intstr.FromInt32(1)
	tests := []struct {
		name   string
		reason model.Reason
		change func(*scene)
	}{
		{"an unhealthy node is exempt, its Node not Ready", model.HandoffPrepared, func(s *scene) {
			s.rollout.Spec.Strategy.ExemptUnhealthy = &one
			s.unready("n5", model.Blue)
			s.node("n5").Status.Conditions[0].Status = corev1.ConditionFalse
		}},
		{"an unhealthy node is exempt, its Pod older than the target", model.HandoffPrepared, func(s *scene) {
			s.rollout.Spec.Strategy.ExemptUnhealthy = &one
			s.unready("n5", model.Blue)
		}},
		{"a proven target may be finished", model.HandoffPrepared, func(s *scene) {
			s.prove()
			s.plan.Revision = "other"
		}},
		{"an issued action that shows", model.HandoffPrepared, func(s *scene) {
			s.rollout.Status.Issued = []model.Issued{{Action: *s.action(model.HandoffPrepared, 0), Result: &model.Result{ResourceVersion: "1"}}}
		}},
		{"another order of the lists", model.HandoffPrepared, func(s *scene) {
			slices.Reverse(s.objects.Nodes)
			slices.Reverse(s.objects.Pods)
			slices.Reverse(s.objects.DaemonSets)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := with(t, locked, test.reason, 2)
			test.change(s)
			require.Empty(t, s.validate(t))
		})
	}
}

func TestViolationSaysWhere(t *testing.T) {
	v := plan.Violation{Property: plan.S2, Action: 3, Node: "n1", Message: "1 + 1 > 1"}
	require.Equal(t, "S2, action 3, node n1: 1 + 1 > 1", v.String())
	require.EqualError(t, plan.Violation{Property: plan.L3, Action: -1, Message: "nothing"}, "L3: nothing")
}

// ending is a Pod of the DaemonSet that the plan makes, without a controller, without locks and on its way out.
func ending(s *scene, name string) *corev1.Pod {
	set := s.action(model.SlotMissing, 0).Write.Create
	now := metav1.Now()
	pod := &corev1.Pod{ObjectMeta: *set.Spec.Template.ObjectMeta.DeepCopy(), Spec: *set.Spec.Template.Spec.DeepCopy()}
	pod.Namespace, pod.Name, pod.UID, pod.ResourceVersion = set.Namespace, name, types.UID("uid-"+name), "1"
	pod.DeletionTimestamp, pod.Finalizers = &now, []string{"kept"}
	pod.Spec.NodeName = "n1"
	pod.Spec.Containers[0].Command = []string{"agent", "run"}
	return pod
}
