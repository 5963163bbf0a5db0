package pair

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// conventionalBlue leaves one conventional DaemonSet of that tag, whose spec was written so long ago.
func (s *scene) conventionalBlue(tag string, ago time.Duration) *appsv1.DaemonSet {
	set := agent(tag)
	set.UID, set.ResourceVersion, set.Generation = "agent", "1", 2
	set.Status.ObservedGeneration = 2
	set.Spec.UpdateStrategy = conventionalStrategy(intstr.FromInt32(1))
	set.Annotations = map[string]string{s.keys.Written: model.Written{Generation: 2, At: now.Add(-ago)}.String()}
	s.slots = [2]*appsv1.DaemonSet{set, nil}
	return set
}

// armingBlue leaves blue alone, which the native controller rolls to the wrapped template of that tag since so long ago.
func (s *scene) armingBlue(tag string, ago time.Duration) *appsv1.DaemonSet {
	rendering, err := Render(s.rollout, agent(tag), false)
	require.NoError(s.t, err)
	set := rendering.Slot(model.Blue, true)
	conventional := s.conventionalBlue(tag, ago)
	set.UID, set.ResourceVersion, set.Generation, set.Status = conventional.UID, "1", 2, conventional.Status
	set.Spec.UpdateStrategy = conventional.Spec.UpdateStrategy
	set.Annotations[s.keys.Written] = conventional.Annotations[s.keys.Written]
	s.slots[0] = set
	return set
}

// before turns the last Pod into one from before the pair, with the images of that tag.
func (s *scene) before(tag string) *corev1.Pod {
	pod := s.objects.Pods[len(s.objects.Pods)-1]
	nodeName := pod.Spec.NodeName
	pod.Annotations, pod.Spec = nil, agent(tag).Spec.Template.Spec
	pod.Spec.NodeName = nodeName
	return pod
}

// waits turns the last Pod into one whose container waits for the reason.
func (s *scene) waits(reason string) {
	pod := s.objects.Pods[len(s.objects.Pods)-1]
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "agent", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}}}
}

func (s *scene) steered() *course {
	v := s.view()
	survey := v.sum()
	return steer(v, &survey)
}

// Every wait of the rollout as a whole ends: inside the deadline it is a wait that asks to be woken at its end, and past that it says who
// does not act.
func TestEveryWaitEnds(t *testing.T) {
	desire := func(tag string) func(*model.Rollout) { return func(r *model.Rollout) { r.Spec.Desired = agent(tag) } }
	deleted := func(ago time.Duration) *metav1.Time { return &metav1.Time{Time: now.Add(-ago)} }
	optOut := func(r *model.Rollout) { r.Spec.Intent, r.Spec.Desired = model.OptOut, agent("1") }
	tests := []struct {
		name   string
		change func(*model.Rollout)
		scene  func(*scene, time.Duration)
		waits  model.Reason
		late   model.Reason
		text   string
	}{
		{"the controller has not seen green's spec", desire("1"), func(s *scene, ago time.Duration) {
			s.unobserved(s.slots[1], ago)
		}, model.SlotNotObserved, model.ControllerRests, "the DaemonSet controller has not seen generation 2 of DaemonSet agent-green for 15m0s"},
		{"green is being deleted", desire("1"), func(s *scene, ago time.Duration) {
			s.slots[1].DeletionTimestamp = deleted(ago)
		}, model.SlotBeingDeleted, model.DeletionHangs, "DaemonSet agent-green has been ending for 15m0s: look whether"},
		{"blue is being torn down, and a Pod holds it", func(r *model.Rollout) { r.Spec.Intent = model.Teardown }, func(s *scene, ago time.Duration) {
			s.node("n1", "blue", "terminating", "")
			s.objects.Pods[0].DeletionTimestamp = deleted(ago)
			s.objects.Pods[0].Finalizers = []string{"example.com/hold"}
			s.slots[0].DeletionTimestamp, s.slots[1] = deleted(ago+time.Minute), nil
		}, model.SlotBeingDeleted, model.DeletionHangs, "DaemonSet agent has been ending for 15m0s: Pod n1-blue on node n1 is left; repair its kubelet, remove its finalizers (example.com/hold)"},
		{"opting out, green is being deleted", optOut, func(s *scene, ago time.Duration) {
			s.slots[1].DeletionTimestamp = deleted(ago)
		}, model.SlotBeingDeleted, model.DeletionHangs, "DaemonSet agent-green has been ending"},
		{"opted out, a wrapped Pod is left", optOut, func(s *scene, ago time.Duration) {
			s.node("n1", "", "serves", "")
			s.conventionalBlue("1", ago)
		}, model.WaitingForWrapping, model.ControllerRests, "has replaced no wrapped Pod for 15m0s, and Pod n1-blue on node n1 is left"},
		{"opted out, a Pod of a DaemonSet that is gone still ends", optOut, func(s *scene, ago time.Duration) {
			s.node("n1", "", "", "terminating")
			s.objects.Pods[0].DeletionTimestamp = deleted(ago)
			s.conventionalBlue("1", ago)
		}, model.WaitingForPodsToEnd, model.DeletionHangs, "Pod n1-green of a DaemonSet that is gone still ends"},
		{"nothing is there but a Pod that still ends", desire("1"), func(s *scene, ago time.Duration) {
			s.node("n1", "", "terminating", "")
			s.before("1").DeletionTimestamp = deleted(ago)
			s.objects.Pods[0].OwnerReferences = nil
			s.slots = [2]*appsv1.DaemonSet{}
		}, model.WaitingForPodsToEnd, model.DeletionHangs, "Pod n1-blue without a controller still runs on node n1"},
		{"the present images run nowhere", desire("9"), func(s *scene, ago time.Duration) {
			s.node("n1", "", "serves", "")
			s.before("1")
			s.conventionalBlue("9", ago)
		}, model.WaitingForImages, model.WaitingForImages, "no available Pod of DaemonSet agent runs its present images for 15m0s"},
		{"arming, a Pod does not start", desire("1"), func(s *scene, ago time.Duration) {
			s.node("n1", "", "serves", "")
			s.before("1")
			s.armingBlue("1", ago)
			s.node("n2", "", "starting", "")
			s.waits("ImagePullBackOff")
		}, model.WaitingForWrapping, model.BudgetSpent, "its budget of 1 is spent by node n2 (Pod n2-blue is not available: ImagePullBackOff). Repair"},
		{"arming, a Node is not Ready, and exemptUnhealthy does not help", func(r *model.Rollout) {
			one := intstr.FromInt32(1)
			r.Spec.Desired, r.Spec.Strategy.ExemptUnhealthy = agent("1"), &one
		}, func(s *scene, ago time.Duration) {
			s.node("n1", "", "serves", "")
			s.before("1")
			s.armingBlue("1", ago)
			s.node("n2", "", "", "", "dead")
		}, model.WaitingForWrapping, model.BudgetSpent, "is spent by node n2 (it has no Pod, its Node is not Ready). Repair or remove what spends it, raise spec.strategy.maxUnavailable, or desire a template that starts there (spec.strategy.exemptUnhealthy has no effect on it)"},
		{"arming, the native controller rests", desire("1"), func(s *scene, ago time.Duration) {
			s.node("n1", "", "serves", "")
			s.before("1")
			s.armingBlue("1", ago)
		}, model.WaitingForWrapping, model.ControllerRests, "the DaemonSet controller has replaced no Pod of DaemonSet agent for 15m0s"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, ago := range []time.Duration{time.Minute, 15 * time.Minute} {
				s := newScene(t)
				test.change(s.rollout)
				test.scene(s, ago)
				c := s.steered()
				require.Len(t, c.Waits, 1)
				require.Equal(t, test.waits, c.Waits[0].Reason)
				require.Empty(t, c.Actions)
				if ago < 10*time.Minute {
					require.Nil(t, c.Stalled)
					require.Equal(t, now.Add(9*time.Minute), c.Wake)
					continue
				}
				require.NotNil(t, c.Stalled)
				require.Equal(t, test.late, c.Stalled.Reason)
				require.Contains(t, c.Stalled.Message, test.text)
			}
		})
	}
}

// What starts the clock does not move: an armed Pod that became available is progress, and so is one that has served until just now; one that is
// made anew, or restarts again and again, is none.
func TestArmingIsAwaitedFromItsLastProgress(t *testing.T) {
	justNow := metav1.NewTime(now.Add(-time.Minute))
	condition := func(pod *corev1.Pod, status corev1.ConditionStatus) {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status, LastTransitionTime: justNow}}
	}
	for name, test := range map[string]struct {
		change  func(*corev1.Pod)
		stalled bool
	}{
		"available for a minute": {func(pod *corev1.Pod) { condition(pod, corev1.ConditionTrue) }, false},
		"not Ready for a minute": {func(pod *corev1.Pod) { condition(pod, corev1.ConditionFalse) }, false},
		"made anew a minute ago": {func(pod *corev1.Pod) { condition(pod, corev1.ConditionFalse); pod.CreationTimestamp = justNow }, true},
		"not Ready, and restarting": {func(pod *corev1.Pod) {
			condition(pod, corev1.ConditionFalse)
			pod.Status.ContainerStatuses[0].RestartCount = 50
		}, true},
		"available for an hour only": {func(*corev1.Pod) {}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, func(r *model.Rollout) { r.Spec.Desired = agent("1") })
			s.node("n1", "", "serves", "")
			s.before("1")
			s.armingBlue("1", 15*time.Minute)
			s.node("n2", "", "serves", "")
			test.change(s.objects.Pods[1])
			require.Equal(t, test.stalled, s.steered().Stalled != nil)
		})
	}
}

// A spec that somebody else has written is noted once, and awaited from then on.
func TestForeignWriteIsNoted(t *testing.T) {
	s := newScene(t, func(r *model.Rollout) { r.Spec.Desired = agent("1") })
	s.slots[1].Generation = 5
	s.slots[1].Annotations[s.keys.Written] = "4 2026-11-01T09:00:00Z"
	c := s.steered()
	require.Nil(t, c.Stalled)
	require.Len(t, c.Actions, 1)
	require.Equal(t, model.WriteNoted, c.Actions[0].Reason)
	require.Equal(t, "5 2026-11-30T09:00:00Z", *c.Actions[0].Write.Patch.Annotations[0].To)
}

// TestArming is what is armed: the deployed images as long as they run, where the desired Pods are to run; and what is desired once what was
// armed is broken.
func TestArming(t *testing.T) {
	elsewhere := func(tag string) *appsv1.DaemonSet {
		set := agent(tag)
		set.Spec.Template.Spec.NodeSelector = map[string]string{"kubernetes.io/os": "linux"}
		set.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: "agents", Operator: corev1.TolerationOpExists}}
		return set
	}
	serving := func(s *scene, tag string) {
		s.node("n1", "", "serves", "")
		s.before(tag)
	}
	tests := []struct {
		name    string
		desired *appsv1.DaemonSet
		scene   func(*scene)
		image   string // of the template that is written; empty for no write
		waits   model.Reason
	}{
		{"the deployed images run", agent("2"), func(s *scene) { serving(s, "1"); s.conventionalBlue("1", time.Minute) }, "agent:1", ""},
		{"the same, and the desired one runs elsewhere", elsewhere("2"), func(s *scene) { serving(s, "1"); s.conventionalBlue("1", time.Minute) }, "agent:1", ""},
		{"a native update to them has begun", agent("2"), func(s *scene) { serving(s, "0"); s.conventionalBlue("1", time.Minute) }, "", model.WaitingForImages},
		{"it has not brought them in time", agent("2"), func(s *scene) { serving(s, "0"); s.conventionalBlue("1", time.Hour) }, "agent:2", ""},
		{"it has, and they are down since just now", agent("2"), func(s *scene) {
			serving(s, "1")
			s.objects.Pods[0].Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(now.Add(-time.Minute))}}
			s.conventionalBlue("1", time.Hour)
		}, "", model.WaitingForImages},
		{"nothing brings them: the DaemonSet is OnDelete", agent("2"), func(s *scene) {
			serving(s, "0")
			s.conventionalBlue("1", time.Minute).Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
		}, "agent:2", ""},
		{"arming has just begun", agent("2"), func(s *scene) { serving(s, "1"); s.armingBlue("1", time.Minute) }, "", model.WaitingForWrapping},
		{"a Pod of it cannot start, and others run its images", agent("2"), func(s *scene) {
			serving(s, "1")
			s.armingBlue("1", time.Minute)
			s.node("n2", "", "starting", "")
			s.waits("ImagePullBackOff")
		}, "", model.WaitingForWrapping},
		{"the same, past the deadline", agent("2"), func(s *scene) {
			serving(s, "1")
			s.armingBlue("1", time.Hour)
			s.node("n2", "", "starting", "")
			s.waits("ImagePullBackOff")
		}, "agent:2", ""},
		{"a Pod of it cannot start, and its images run nowhere", agent("2"), func(s *scene) {
			serving(s, "0")
			s.armingBlue("1", time.Minute)
			s.node("n2", "", "starting", "")
			s.waits("ImagePullBackOff")
		}, "agent:2", ""},
		{"past the deadline, but a dead Node is to blame", agent("2"), func(s *scene) {
			serving(s, "1")
			s.armingBlue("1", time.Hour)
			s.node("n2", "", "", "", "dead")
		}, "", model.WaitingForWrapping},
		{"the desired one is to run elsewhere now", elsewhere("2"), func(s *scene) { serving(s, "1"); s.armingBlue("1", time.Minute) }, "agent:1", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, func(r *model.Rollout) { r.Spec.Desired = test.desired })
			test.scene(s)
			c := s.steered()
			if test.image == "" {
				require.Empty(t, c.Actions)
				require.Len(t, c.Waits, 1)
				require.Equal(t, test.waits, c.Waits[0].Reason)
				return
			}
			require.Empty(t, c.Waits)
			require.Len(t, c.Actions, 1)
			require.Equal(t, model.WrapperInstalled, c.Actions[0].Reason)
			written := c.Actions[0].Write.Patch.Spec
			require.Equal(t, test.image, written.Template.Spec.Containers[0].Image)
			require.True(t, wrapped(&corev1.Pod{Spec: written.Template.Spec}))
			require.Equal(t, test.desired.Spec.Template.Spec.NodeSelector, written.Template.Spec.NodeSelector)
			require.Equal(t, test.desired.Spec.Template.Spec.Tolerations, written.Template.Spec.Tolerations)
			require.Equal(t, appsv1.RollingUpdateDaemonSetStrategyType, written.UpdateStrategy.Type)
			require.EqualValues(t, 10, written.MinReadySeconds)
			notes := map[string]string{}
			for _, edit := range c.Actions[0].Write.Patch.Annotations {
				if edit.To != nil {
					notes[edit.Key] = *edit.To
				}
			}
			require.Equal(t, "3 2026-11-30T09:00:00Z", notes[s.keys.Written])
		})
	}
}

// What is armed keeps its minReadySeconds: spec.desiredFrom would take others for desired.
func TestArmingKeepsMinReadySeconds(t *testing.T) {
	desired := agent("1")
	desired.Spec.MinReadySeconds = 0
	s := newScene(t, func(r *model.Rollout) { r.Spec.Desired = desired })
	s.node("n1", "", "serves", "")
	s.before("1")
	s.conventionalBlue("1", time.Minute).Spec.MinReadySeconds = 0
	require.Zero(t, s.steered().Actions[0].Write.Patch.Spec.MinReadySeconds)
}

// The last armed Pods settle before nodes move, or they would count as unavailable, and go first.
func TestArmingEndsSettled(t *testing.T) {
	s := newScene(t, func(r *model.Rollout) { r.Spec.Desired = agent("1") })
	s.node("n1", "", "settling", "")
	s.armingBlue("1", time.Hour)
	c := s.steered()
	require.Empty(t, c.Actions)
	require.Nil(t, c.Stalled)
	require.Equal(t, now.Add(9*time.Second), c.Wake)
}

// An opt-out leaves an arming at once, whatever became of it, by the native rolling update without surge.
func TestOptOutLeavesArming(t *testing.T) {
	s := newScene(t, func(r *model.Rollout) { r.Spec.Intent, r.Spec.Desired = model.OptOut, agent("2") })
	s.node("n1", "", "serves", "")
	s.before("1")
	s.armingBlue("1", time.Hour)
	s.node("n2", "", "starting", "")
	s.waits("ImagePullBackOff")
	c := s.steered()
	require.Nil(t, c.Stalled)
	require.Len(t, c.Actions, 1)
	require.Equal(t, model.HandedBack, c.Actions[0].Reason)
	written := c.Actions[0].Write.Patch.Spec
	require.Equal(t, s.rollout.Spec.Desired.Spec.Template, written.Template)
}
