package plan_test

import (
	"errors"
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/agent-rollout/planner/plan"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
)

// What every API server refuses is refused before anything is written, with all faults; what is deployed was not refused.
func TestTemplateThatEveryServerRefuses(t *testing.T) {
	spoil := func(spec *corev1.PodSpec) {
		spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "nowhere", MountPath: "/data"}}
		spec.Containers[1].Ports = []corev1.ContainerPort{{ContainerPort: 99999}}
	}
	for _, strategy := range []model.StrategyType{model.Pair, model.Surge, model.RollingUpdate} {
		t.Run(string(strategy), func(t *testing.T) {
			l := newLab(t, workers(2), rolloutOf("1", func(r *model.Rollout) { r.Spec.Strategy.Type = strategy }))
			require.True(t, func() bool { p := l.run(); return p.Complete() }())
			l.rollout.Spec.Desired = conventional("2")
			spoil(&l.rollout.Spec.Desired.Spec.Template.Spec)
			s := momentOf(l)
			p := s.plan()
			require.Equal(t, model.PhaseBlocked, p.Phase)
			require.Empty(t, p.Actions)
			blocked := meta.FindStatusCondition(p.Conditions, model.ConditionBlocked)
			require.Equal(t, string(model.TemplateRefused), blocked.Reason)
			_, err := plan.Render(s.snapshot())
			var refused *plan.RefusedError
			require.True(t, errors.As(err, &refused))
			require.Len(t, refused.Faults, 2)
			require.Equal(t, "spec.template.spec.containers[0].volumeMounts[0].name", refused.Faults[0].Field)
			require.Equal(t, "spec.template.spec.containers[1].ports[0].containerPort", refused.Faults[1].Field)

			for _, set := range s.objects.DaemonSets { // as if the server knew better
				spoil(&set.Spec.Template.Spec)
			}
			_, err = plan.Render(s.snapshot())
			require.NoError(t, err)
		})
	}
}
