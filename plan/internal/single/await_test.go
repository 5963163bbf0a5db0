package single

import (
	"testing"
	"time"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// conventional makes the DaemonSet the desired one, written so long ago.
func (s *scene) conventional(ago time.Duration) {
	former := s.set
	s.set = s.rollout.Spec.Desired.DeepCopy()
	s.set.UID, s.set.ResourceVersion, s.set.Generation, s.set.Status = former.UID, "1", 2, appsv1.DaemonSetStatus{ObservedGeneration: 2}
	s.set.Annotations = map[string]string{s.keys.Written: model.Written{Generation: 2, At: now.Add(-ago)}.String()}
}

// Every wait of the rollout as a whole ends: inside the deadline it is a wait that asks to be woken at its end, and past that it says who
// does not act.
func TestEveryWaitEnds(t *testing.T) {
	deleted := func(ago time.Duration) *metav1.Time { return &metav1.Time{Time: now.Add(-ago)} }
	for _, test := range []struct {
		name, strategy string
		intent         model.Intent
		scene          func(*scene, time.Duration)
		waits, late    model.Reason
		text           string
	}{
		{"the controller has not seen the spec", "delete-first", model.Run, func(s *scene, ago time.Duration) {
			s.unobserved(ago)
		}, model.SlotNotObserved, model.ControllerRests, "the DaemonSet controller has not seen generation 2 of DaemonSet agent for 15m0s"},
		{"the DaemonSet is being deleted", "surge", model.Run, func(s *scene, ago time.Duration) {
			s.set.DeletionTimestamp = deleted(ago)
			s.set.Finalizers = []string{"foregroundDeletion"}
		}, model.SlotBeingDeleted, model.DeletionHangs, "DaemonSet agent has been ending for 15m0s: its finalizers hold it (foregroundDeletion)"},
		{"it is being torn down, and a Pod holds it", "surge", model.Teardown, func(s *scene, ago time.Duration) {
			s.node("n1", "", "terminating")
			s.objects.Pods[0].DeletionTimestamp = deleted(ago)
			s.set.DeletionTimestamp = deleted(ago + time.Minute)
		}, model.SlotBeingDeleted, model.DeletionHangs, "Pod n1-new on node n1 is left; repair its kubelet"},
		{"opted out, the controller has not seen it", "surge", model.OptOut, func(s *scene, ago time.Duration) {
			s.conventional(ago)
			s.set.Status.ObservedGeneration = 1
		}, model.SlotNotObserved, model.ControllerRests, "the DaemonSet controller has not seen generation 2"},
		{"opted out, a wrapped Pod is left", "surge", model.OptOut, func(s *scene, ago time.Duration) {
			s.node("n1", "", "serves")
			s.conventional(ago)
		}, model.WaitingForWrapping, model.ControllerRests, "has replaced no wrapped Pod for 15m0s, and Pod n1-new on node n1 is left"},
		{"a surge is paused, and an old Pod is left beside the new one", "surge", model.Run, func(s *scene, ago time.Duration) {
			s.rollout.Spec.Strategy.Paused = true
			proven(s)
			s.node("n1", "starting", "serves")
			ready := &s.objects.Pods[1].Status.Conditions[1]
			ready.LastTransitionTime = metav1.NewTime(now.Add(-ago))
			s.set.Annotations[s.keys.Nudged] = now.Add(-time.Minute).Format(time.RFC3339) // a write has not woken it
		}, model.WaitingForPodsToEnd, model.ControllerRests, "and the DaemonSet controller has left them for 15m0s"},
		{"nothing is there but a Pod that still ends", "delete-first", model.Run, func(s *scene, ago time.Duration) {
			s.node("n1", "", "terminating")
			s.objects.Pods[0].DeletionTimestamp = deleted(ago)
			s.objects.Pods[0].OwnerReferences = nil
			s.set = nil
		}, model.WaitingForPodsToEnd, model.DeletionHangs, "Pod n1-new without a controller still runs on node n1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, ago := range []time.Duration{time.Minute, 15 * time.Minute} {
				s := newScene(t, test.strategy, func(r *model.Rollout) { r.Spec.Intent = test.intent })
				test.scene(s, ago)
				v := s.view()
				survey := v.sum()
				c := steer(v, &survey)
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

// TestUnread is what goes on although the record, the schema or the template is not understood: whoever ends the rollout needs none of it, and an
// unwrapped Pod never surges beside one of a schema that is not known.
func TestUnread(t *testing.T) {
	for cause, change := range map[model.Reason]func(*scene){
		model.StateUnreadable: func(s *scene) { s.set.Annotations[s.keys.State] = "{" },
		model.SchemaUnknown: func(s *scene) {
			s.set.Spec.Template.Annotations[s.keys.Schema] = "9"
			s.set.Spec.Template.Spec.Containers[0].Command = []string{"a", "wrapper", "of", "another", "time"}
		},
		model.TemplateRefused: func(s *scene) { s.rollout.Spec.Desired.Spec.Template.Spec.Containers[0].Command = nil },
	} {
		t.Run(string(cause), func(t *testing.T) {
			with := func(intent model.Intent) *course {
				s := newScene(t, "surge", func(r *model.Rollout) { r.Spec.Intent = intent })
				change(s)
				s.node("n1", "", "serves")
				s.objects.DaemonSets = []*appsv1.DaemonSet{s.set}
				cluster, err := model.NewCluster(s.objects)
				require.NoError(t, err)
				surge := s.rollout.Spec.Desired
				surge.Spec.UpdateStrategy = (&view{strategy: &s.rollout.Spec.Strategy}).strategyFor(false)
				v := observe(&model.Snapshot{Cluster: cluster, Rollout: s.rollout}, nil)
				survey := v.sum()
				return steer(v, &survey)
			}
			require.Equal(t, cause, with(model.Run).Refused.Reason)
			c := with(model.Teardown)
			require.Nil(t, c.Refused)
			require.Equal(t, model.DeleteSlot, c.Actions[0].Kind)
			c = with(model.OptOut)
			require.Nil(t, c.Refused)
			require.Equal(t, model.HandedBack, c.Actions[0].Reason)
			written := c.Actions[0].Write.Patch.Spec
			require.Equal(t, "0", written.UpdateStrategy.RollingUpdate.MaxSurge.String(), "a wrapped Pod is left")
		})
	}
}

// What an opt-out has noted goes with its end.
func TestOptOutLeavesNoNote(t *testing.T) {
	s := newScene(t, "delete-first", func(r *model.Rollout) { r.Spec.Intent = model.OptOut })
	s.conventional(time.Minute)
	s.node("n1", "", "serves")
	v := s.view()
	survey := v.sum()
	c := steer(v, &survey)
	require.Len(t, c.Actions, 1)
	require.Equal(t, []model.Edit{{Key: s.keys.Written, From: &[]string{s.set.Annotations[s.keys.Written]}[0]}}, c.Actions[0].Write.Patch.Annotations)
	delete(s.set.Annotations, s.keys.Written)
	v = s.view()
	survey = v.sum()
	require.True(t, steer(v, &survey).Release)
}
