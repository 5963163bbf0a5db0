package pair

import (
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
)

// TestUnread is what goes on although the record, the schema or the template is not understood: a teardown always, an opt-out where blue alone
// serves.
func TestUnread(t *testing.T) {
	unread := map[model.Reason]func(*scene){
		model.StateUnreadable: func(s *scene) { s.slots[1].Annotations[s.keys.State] = "{" },
		model.StateDiverged:   func(s *scene) { s.slots[1].Annotations[s.keys.ActiveSlot] = "green" },
		model.SchemaUnknown:   func(s *scene) { s.slots[0].Spec.Template.Annotations[s.keys.Schema] = "9" },
		model.TemplateRefused: func(s *scene) {
			s.rollout.Spec.Desired.Spec.Template.Spec.HostPID = false
			s.rollout.Spec.Desired.Spec.Template.Spec.Containers[0].Command = nil
		},
	}
	steered := func(s *scene) *course {
		v := s.observed()
		survey := v.sum()
		return steer(v, &survey)
	}
	for cause, change := range unread {
		t.Run(string(cause), func(t *testing.T) {
			with := func(intent model.Intent, nodes ...string) *course {
				s := newScene(t, func(r *model.Rollout) { r.Spec.Intent = intent })
				change(s)
				for _, label := range nodes {
					s.node("n-"+label, label, "serves", "")
				}
				return steered(s)
			}
			require.Equal(t, cause, with(model.Run).Refused.Reason)
			c := with(model.Teardown, "blue-to-green")
			require.Nil(t, c.Refused)
			require.Equal(t, []model.Reason{model.RolloutTornDown, model.RolloutTornDown}, reasons(c))
			c = with(model.OptOut, "", "blue")
			require.Nil(t, c.Refused)
			require.Equal(t, []model.Reason{model.HandedBack}, reasons(c))
			require.Equal(t, model.DeleteSlot, c.Actions[0].Kind)
			c = with(model.OptOut, "blue-to-green")
			require.Equal(t, cause, c.Refused.Reason)
			require.Contains(t, c.Refused.Message, "node n-blue-to-green is labelled")
			require.Empty(t, c.Actions)
		})
	}
}

// A DaemonSet of another owner is never torn down.
func TestTeardownAsksForTheOwner(t *testing.T) {
	s := newScene(t, func(r *model.Rollout) { r.Spec.Intent = model.Teardown })
	s.slots[1].OwnerReferences[0].UID = "another"
	require.Equal(t, model.ForeignDaemonSet, s.observed().refused.Reason)
}

func reasons(c *course) (list []model.Reason) {
	for i := range c.Actions {
		list = append(list, c.Actions[i].Reason)
	}
	return list
}
