package step

import (
	"time"

	"github.com/agent-rollout/planner/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ForgivenChange is what the decision to go forward, or its end, changes of the state; nil for nothing. The decision counts for what has failed
// until it is first seen; taken away and given again it counts anew.
func ForgivenChange(f *model.Forgiven, revision string, forward bool, now time.Time) func(*model.State) {
	known := f != nil && f.Revision == revision
	switch {
	case forward && (!known || f.Withdrawn):
		return func(s *model.State) { s.Forgiven = &model.Forgiven{Revision: revision, Since: metav1.Time{Time: now}} }
	case !forward && known && !f.Withdrawn:
		return func(s *model.State) {
			s.Forgiven = &model.Forgiven{Revision: revision, Since: f.Since, Withdrawn: true}
		}
	}
	return nil
}
