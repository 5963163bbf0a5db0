package step

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/agent-rollout/planner/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// RevisionOf identifies a prepared template: SHA-256, in hex, of its canonical JSON. Nulls and empty
// objects are dropped and keys sorted, since plain json.Marshal of one template differs between
// versions of k8s.io/api, and an upgrade of the library must not roll a fleet.
func RevisionOf(template *corev1.PodTemplateSpec) (string, error) {
	text, err := canonical(template)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// restartedAt is the annotation by which `kubectl rollout restart` asks for new Pods of the same template.
const restartedAt = "kubectl.kubernetes.io/restartedAt"

// Restarted tells whether a person asks for new Pods of a template whose revision is recorded: one of that revision has not the template's
// restartedAt. The template is a new revision then, though it says the same.
func Restarted(cluster *model.Cluster, set *appsv1.DaemonSet, key string) (restarted bool) {
	asked, revision := set.Spec.Template.Annotations[restartedAt], set.Spec.Template.Annotations[key]
	if asked == "" {
		return false
	}
	EachPod(cluster, set, func(_ *corev1.Node, pod *corev1.Pod) {
		restarted = restarted || pod.Annotations[key] == revision && pod.Annotations[restartedAt] != asked
	})
	return restarted
}

// IsRevision tells whether that is one that RevisionOf gives; another operator's are sums of another kind.
func IsRevision(revision string) bool {
	sum, err := hex.DecodeString(revision)
	return err == nil && len(sum) == sha256.Size
}

func canonical(template *corev1.PodTemplateSpec) ([]byte, error) {
	value, err := generic(template)
	if err != nil {
		return nil, err
	}
	return json.Marshal(pruned(value))
}

// generic returns the value as decoded JSON, with numbers kept as they are written.
func generic(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var out any
	err = decoder.Decode(&out)
	return out, err
}

// pruned drops nulls and empty objects from every object, innermost first.
func pruned(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, field := range v {
			if field = pruned(field); empty(field) {
				delete(v, key)
			} else {
				v[key] = field
			}
		}
		return v
	case []any:
		for i := range v {
			v[i] = pruned(v[i])
		}
		return v
	}
	return value
}

func empty(value any) bool {
	if value == nil {
		return true
	}
	object, ok := value.(map[string]any)
	return ok && len(object) == 0
}
