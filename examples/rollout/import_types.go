package main

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// What is read of ExtendedDaemonSet's API, version datadoghq.com/v1alpha1. Unknown fields are errors.
const (
	extendedAPIVersion = "datadoghq.com/v1alpha1"
	extendedKind       = "ExtendedDaemonSet"
	settingKind        = "ExtendedDaemonsetSetting"
	extendedDomain     = "extendeddaemonset.datadoghq.com/"
	// resourcesPrefix begins the node annotations that replace the resources of one container.
	resourcesPrefix = "resources.extendeddaemonset.datadoghq.com/"
)

type extendedDaemonSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              extendedSpec    `json:"spec,omitempty"`
	Status            json.RawMessage `json:"status,omitempty"` // not read
}

type extendedSpec struct {
	// Selector is documented as one of Pods, and chooses nodes.
	Selector *metav1.LabelSelector  `json:"selector,omitempty"`
	Template corev1.PodTemplateSpec `json:"template"`
	Strategy extendedStrategy       `json:"strategy,omitempty"`
}

type extendedStrategy struct {
	RollingUpdate      extendedRolling  `json:"rollingUpdate,omitempty"`
	Canary             *extendedCanary  `json:"canary,omitempty"`
	ReconcileFrequency *metav1.Duration `json:"reconcileFrequency,omitempty"`
}

type extendedRolling struct {
	MaxUnavailable            *intstr.IntOrString `json:"maxUnavailable,omitempty"`
	MaxPodSchedulerFailure    *intstr.IntOrString `json:"maxPodSchedulerFailure,omitempty"`
	MaxParallelPodCreation    *int32              `json:"maxParallelPodCreation,omitempty"`
	SlowStartIntervalDuration *metav1.Duration    `json:"slowStartIntervalDuration,omitempty"`
	SlowStartAdditiveIncrease *intstr.IntOrString `json:"slowStartAdditiveIncrease,omitempty"`
}

// extendedCanary has the fields of our own canary, under the same names.
type extendedCanary struct {
	Replicas             *intstr.IntOrString   `json:"replicas,omitempty"`
	Duration             *metav1.Duration      `json:"duration,omitempty"`
	NoRestartsDuration   *metav1.Duration      `json:"noRestartsDuration,omitempty"`
	ValidationMode       string                `json:"validationMode,omitempty"`
	NodeSelector         *metav1.LabelSelector `json:"nodeSelector,omitempty"`
	NodeAntiAffinityKeys []string              `json:"nodeAntiAffinityKeys,omitempty"`
	AutoPause            *extendedAutoPause    `json:"autoPause,omitempty"`
	AutoFail             *extendedAutoFail     `json:"autoFail,omitempty"`
}

type extendedAutoPause struct {
	Enabled              *bool            `json:"enabled,omitempty"`
	MaxRestarts          *int32           `json:"maxRestarts,omitempty"`
	MaxSlowStartDuration *metav1.Duration `json:"maxSlowStartDuration,omitempty"`
}

type extendedAutoFail struct {
	Enabled             *bool            `json:"enabled,omitempty"`
	MaxRestarts         *int32           `json:"maxRestarts,omitempty"`
	MaxRestartsDuration *metav1.Duration `json:"maxRestartsDuration,omitempty"`
	CanaryTimeout       *metav1.Duration `json:"canaryTimeout,omitempty"`
}

type extendedSetting struct {
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
