package template

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// volumes lists the faults of the volumes and returns the names that containers may mount.
func volumes(list []corev1.Volume, at *field.Path) (names map[string]bool, faults field.ErrorList) {
	names = map[string]bool{}
	for i := range list {
		v, at := &list[i], at.Index(i)
		faults = append(faults, unique(v.Name, names, at.Child("name"))...)
		// A volume without a source is an emptyDir: the server fills it in.
		if sources := given(&v.VolumeSource); len(sources) > 1 {
			faults = append(faults, field.Forbidden(at, strings.Join(sources, " and ")+" exclude each other"))
		}
		faults = append(faults, source(&v.VolumeSource, at)...)
	}
	return names, faults
}

func source(s *corev1.VolumeSource, at *field.Path) (faults field.ErrorList) {
	switch {
	case s.HostPath != nil && s.HostPath.Path == "":
		faults = append(faults, field.Required(at.Child("hostPath", "path"), "the path on the node"))
	case s.HostPath != nil:
		faults = noParent(s.HostPath.Path, at.Child("hostPath", "path"))
	case s.ConfigMap != nil && s.ConfigMap.Name == "":
		faults = append(faults, field.Required(at.Child("configMap", "name"), "the ConfigMap's name"))
	case s.Secret != nil && s.Secret.SecretName == "":
		faults = append(faults, field.Required(at.Child("secret", "secretName"), "the Secret's name"))
	case s.PersistentVolumeClaim != nil && s.PersistentVolumeClaim.ClaimName == "":
		faults = append(faults, field.Required(at.Child("persistentVolumeClaim", "claimName"), "the claim's name"))
	case s.CSI != nil && s.CSI.Driver == "":
		faults = append(faults, field.Required(at.Child("csi", "driver"), "the driver's name"))
	}
	return faults
}
