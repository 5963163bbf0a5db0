package capacity

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// AddedTolerations are the tolerations that the DaemonSet controller appends to every Pod it makes.
// A node whose network is not set up is tolerated only by Pods that use the node's own network.
func AddedTolerations(hostNetwork bool) []corev1.Toleration {
	added := []corev1.Toleration{
		exists(corev1.TaintNodeNotReady, corev1.TaintEffectNoExecute),
		exists(corev1.TaintNodeUnreachable, corev1.TaintEffectNoExecute),
		exists(corev1.TaintNodeDiskPressure, corev1.TaintEffectNoSchedule),
		exists(corev1.TaintNodeMemoryPressure, corev1.TaintEffectNoSchedule),
		exists(corev1.TaintNodePIDPressure, corev1.TaintEffectNoSchedule),
		exists(corev1.TaintNodeUnschedulable, corev1.TaintEffectNoSchedule),
	}
	if hostNetwork {
		added = append(added, exists(corev1.TaintNodeNetworkUnavailable, corev1.TaintEffectNoSchedule))
	}
	return added
}

func exists(key string, effect corev1.TaintEffect) corev1.Toleration {
	return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: effect}
}

// toleratesAny reports whether one of the tolerations covers the taint.
func toleratesAny(tolerations []corev1.Toleration, taint *corev1.Taint) bool {
	for i := range tolerations {
		if tolerates(&tolerations[i], taint) {
			return true
		}
	}
	return false
}

// tolerates follows the API: an empty effect or key stands for any, an empty operator for Equal. The
// method of k8s.io/api would do, but it writes faults to a logger, and a pure package has none to give.
func tolerates(t *corev1.Toleration, taint *corev1.Taint) bool {
	if t.Effect != "" && t.Effect != taint.Effect {
		return false
	}
	if t.Key != "" && t.Key != taint.Key {
		return false
	}
	switch t.Operator {
	case "", corev1.TolerationOpEqual:
		return t.Value == taint.Value
	case corev1.TolerationOpExists:
		return true
	case corev1.TolerationOpLt, corev1.TolerationOpGt:
		have, okTaint := canonicalInt(taint.Value)
		want, okToleration := canonicalInt(t.Value)
		if !okTaint || !okToleration {
			return false
		}
		if t.Operator == corev1.TolerationOpLt {
			return have < want
		}
		return have > want
	default:
		return false
	}
}

// canonicalInt reads a decimal integer as a person writes it: no plus sign, no leading zero, no "-0".
func canonicalInt(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != s {
		return 0, false
	}
	return n, true
}

// tolerationFaults lists what the API would refuse and this package could not evaluate.
func tolerationFaults(tolerations []corev1.Toleration, path *field.Path) field.ErrorList {
	var faults field.ErrorList
	for i, t := range tolerations {
		at := path.Index(i)
		switch t.Operator {
		case corev1.TolerationOpExists:
		case "", corev1.TolerationOpEqual, corev1.TolerationOpLt, corev1.TolerationOpGt:
			if t.Key == "" {
				faults = append(faults, field.Invalid(at.Child("operator"), t.Operator, "must be Exists when the key is empty"))
			}
		default:
			faults = append(faults, field.NotSupported(at.Child("operator"), t.Operator, []corev1.TolerationOperator{
				corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpLt, corev1.TolerationOpGt,
			}))
		}
	}
	return faults
}

// hard reports whether a taint with this effect keeps Pods away; PreferNoSchedule does not.
func hard(effect corev1.TaintEffect) bool {
	return effect == corev1.TaintEffectNoSchedule || effect == corev1.TaintEffectNoExecute
}

// taintString writes a taint as kubectl does: key=value:effect, or key:effect without a value.
func taintString(t *corev1.Taint) string {
	if t.Value == "" {
		return t.Key + ":" + string(t.Effect)
	}
	return t.Key + "=" + t.Value + ":" + string(t.Effect)
}
