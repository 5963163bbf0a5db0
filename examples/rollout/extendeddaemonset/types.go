package extendeddaemonset

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// What is read of ExtendedDaemonSet's API, version datadoghq.com/v1alpha1. Unknown fields are errors.
const (
	APIVersion  = "datadoghq.com/v1alpha1"
	Kind        = "ExtendedDaemonSet"
	SettingKind = "ExtendedDaemonsetSetting"
	domain      = "extendeddaemonset.datadoghq.com/"
	// resourcesPrefix begins the node annotations that replace the resources of one container.
	resourcesPrefix = "resources.extendeddaemonset.datadoghq.com/"
)

type resource struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              spec            `json:"spec,omitempty"`
	Status            json.RawMessage `json:"status,omitempty"` // not read
}

type spec struct {
	// Selector is documented as one of Pods, and chooses nodes.
	Selector *metav1.LabelSelector  `json:"selector,omitempty"`
	Template corev1.PodTemplateSpec `json:"template"`
	Strategy strategy               `json:"strategy,omitempty"`
}

type strategy struct {
	RollingUpdate      rollingUpdate    `json:"rollingUpdate,omitempty"`
	Canary             *canary          `json:"canary,omitempty"`
	ReconcileFrequency *metav1.Duration `json:"reconcileFrequency,omitempty"`
}

type rollingUpdate struct {
	MaxUnavailable            *intstr.IntOrString `json:"maxUnavailable,omitempty"`
	MaxPodSchedulerFailure    *intstr.IntOrString `json:"maxPodSchedulerFailure,omitempty"`
	MaxParallelPodCreation    *int32              `json:"maxParallelPodCreation,omitempty"`
	SlowStartIntervalDuration *metav1.Duration    `json:"slowStartIntervalDuration,omitempty"`
	SlowStartAdditiveIncrease *intstr.IntOrString `json:"slowStartAdditiveIncrease,omitempty"`
}

// canary has the fields of our own canary, under the same names.
type canary struct {
	Replicas             *intstr.IntOrString   `json:"replicas,omitempty"`
	Duration             *metav1.Duration      `json:"duration,omitempty"`
	NoRestartsDuration   *metav1.Duration      `json:"noRestartsDuration,omitempty"`
	ValidationMode       string                `json:"validationMode,omitempty"`
	NodeSelector         *metav1.LabelSelector `json:"nodeSelector,omitempty"`
	NodeAntiAffinityKeys []string              `json:"nodeAntiAffinityKeys,omitempty"`
	AutoPause            *autoPause            `json:"autoPause,omitempty"`
	AutoFail             *autoFail             `json:"autoFail,omitempty"`
}

type autoPause struct {
	Enabled              *bool            `json:"enabled,omitempty"`
	MaxRestarts          *int32           `json:"maxRestarts,omitempty"`
	MaxSlowStartDuration *metav1.Duration `json:"maxSlowStartDuration,omitempty"`
}

type autoFail struct {
	Enabled             *bool            `json:"enabled,omitempty"`
	MaxRestarts         *int32           `json:"maxRestarts,omitempty"`
	MaxRestartsDuration *metav1.Duration `json:"maxRestartsDuration,omitempty"`
	CanaryTimeout       *metav1.Duration `json:"canaryTimeout,omitempty"`
}

type setting struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Reference struct {
			Kind       string `json:"kind,omitempty"`
			Name       string `json:"name"`
			APIVersion string `json:"apiVersion,omitempty"`
		} `json:"reference"`
		NodeSelector metav1.LabelSelector `json:"nodeSelector"`
		Containers   []struct {
			Name      string                      `json:"name"`
			Resources corev1.ResourceRequirements `json:"resources,omitempty"`
		} `json:"containers,omitempty"`
	} `json:"spec,omitempty"`
	Status json.RawMessage `json:"status,omitempty"` // not read
}
