package template

import (
	corev1 "k8s.io/api/core/v1"
	unversioned "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// pod lists the faults of the template's Pod.
func pod(p *corev1.PodSpec, at *field.Path) (faults field.ErrorList) {
	if p.RestartPolicy != "" && p.RestartPolicy != corev1.RestartPolicyAlways {
		faults = append(faults, field.NotSupported(at.Child("restartPolicy"), p.RestartPolicy, []corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if p.ActiveDeadlineSeconds != nil {
		faults = append(faults, field.Forbidden(at.Child("activeDeadlineSeconds"), "a DaemonSet's Pods have none"))
	}
	faults = append(faults, oneOf(p.DNSPolicy, at.Child("dnsPolicy"), corev1.DNSClusterFirst, corev1.DNSClusterFirstWithHostNet, corev1.DNSDefault, corev1.DNSNone)...)
	if p.ServiceAccountName != "" {
		faults = append(faults, each(p.ServiceAccountName, at.Child("serviceAccountName"), utilvalidation.IsDNS1123Subdomain)...)
	}
	if p.PriorityClassName != "" {
		faults = append(faults, each(p.PriorityClassName, at.Child("priorityClassName"), utilvalidation.IsDNS1123Subdomain)...)
	}
	if p.RuntimeClassName != nil {
		faults = append(faults, each(*p.RuntimeClassName, at.Child("runtimeClassName"), utilvalidation.IsDNS1123Subdomain)...)
	}
	if p.HostPID && p.ShareProcessNamespace != nil && *p.ShareProcessNamespace {
		faults = append(faults, field.Invalid(at.Child("shareProcessNamespace"), true, "must not be true under hostPID"))
	}
	faults = append(faults, unversioned.ValidateLabels(p.NodeSelector, at.Child("nodeSelector"))...)
	for i := range p.Tolerations {
		faults = append(faults, toleration(&p.Tolerations[i], at.Child("tolerations").Index(i))...)
	}
	faults = append(faults, affinity(p.Affinity, at.Child("affinity"))...)
	known, more := volumes(p.Volumes, at.Child("volumes"))
	faults = append(faults, more...)
	return append(faults, containers(p, known, at)...)
}

func toleration(t *corev1.Toleration, at *field.Path) (faults field.ErrorList) {
	if t.Key != "" {
		faults = each(t.Key, at.Child("key"), utilvalidation.IsQualifiedName)
	}
	switch {
	case t.Key == "" && t.Operator != corev1.TolerationOpExists:
		faults = append(faults, field.Invalid(at.Child("operator"), t.Operator, "must be Exists where the key is empty"))
	case t.Operator == corev1.TolerationOpExists && t.Value != "":
		faults = append(faults, field.Invalid(at.Child("operator"), t.Value, "the value must be empty where the operator is Exists"))
	}
	faults = append(faults, oneOf(t.Effect, at.Child("effect"), corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute)...)
	if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
		faults = append(faults, field.Invalid(at.Child("effect"), t.Effect, "must be NoExecute where tolerationSeconds is set"))
	}
	return faults
}
