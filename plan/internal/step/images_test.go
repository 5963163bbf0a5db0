package step

import (
	"testing"

	"github.com/agent-rollout/planner/model"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func TestWithImages(t *testing.T) {
	base := &appsv1.DaemonSet{}
	base.Spec.Template.Spec.InitContainers = []corev1.Container{{Name: "init", Image: "registry:5000/agent:1"}}
	base.Spec.Template.Spec.Containers = []corev1.Container{
		{Name: "agent", Image: "registry:5000/agent@sha256:abc"}, {Name: "trace", Image: "registry:5000/agent"}, {Name: "proxy", Image: "registry:5000/proxy:1"},
	}
	tests := []struct {
		name    string
		from    model.DesiredFrom
		want    [4]string
		missing string
	}{
		{"all of the repository", model.DesiredFrom{Image: "registry:5000/agent:2"},
			[4]string{"registry:5000/agent:2", "registry:5000/agent:2", "registry:5000/agent:2", "registry:5000/proxy:1"}, ""},
		{"a name goes first", model.DesiredFrom{Image: "registry:5000/agent:2", Images: map[string]string{"trace": "other:3", "proxy": "proxy:2"}},
			[4]string{"registry:5000/agent:2", "registry:5000/agent:2", "other:3", "proxy:2"}, ""},
		{"names only", model.DesiredFrom{Images: map[string]string{"init": "x"}},
			[4]string{"x", "registry:5000/agent@sha256:abc", "registry:5000/agent", "registry:5000/proxy:1"}, ""},
		{"no such container, no such repository", model.DesiredFrom{Image: "elsewhere/agent:2", Images: map[string]string{"zeta": "x", "alpha": "x"}},
			[4]string{"registry:5000/agent:1", "registry:5000/agent@sha256:abc", "registry:5000/agent", "registry:5000/proxy:1"},
			"spec.desiredFrom.images[alpha], spec.desiredFrom.images[zeta]: DaemonSet node-agent has no such container (it has init, agent, trace, proxy); " +
				"spec.desiredFrom.image: no container of DaemonSet node-agent runs an image of elsewhere/agent"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := base.DeepCopy()
			test.from.Name = "node-agent"
			changed, missing := WithImages(base, &test.from)
			spec := &changed.Spec.Template.Spec
			require.Equal(t, test.want, [4]string{spec.InitContainers[0].Image, spec.Containers[0].Image, spec.Containers[1].Image, spec.Containers[2].Image})
			require.Equal(t, test.missing, missing)
			require.Equal(t, before, base)
		})
	}
}
