package template

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// containers lists the faults of all containers; volumes are the names that they may mount.
func containers(p *corev1.PodSpec, volumes map[string]bool, at *field.Path) (faults field.ErrorList) {
	c := checker{host: p.HostNetwork, volumes: volumes, names: map[string]bool{}, hostPorts: map[hostPort]bool{}}
	if len(p.Containers) == 0 {
		faults = append(faults, field.Required(at.Child("containers"), "a Pod has at least one"))
	}
	for i := range p.Containers {
		faults = append(faults, c.container(&p.Containers[i], false, at.Child("containers").Index(i))...)
	}
	for i := range p.InitContainers {
		faults = append(faults, c.container(&p.InitContainers[i], true, at.Child("initContainers").Index(i))...)
	}
	if len(p.EphemeralContainers) > 0 {
		faults = append(faults, field.Forbidden(at.Child("ephemeralContainers"), "a template has none"))
	}
	return faults
}

// checker knows what the containers of one Pod must not share.
type checker struct {
	host      bool
	volumes   map[string]bool
	names     map[string]bool
	hostPorts map[hostPort]bool
}

type hostPort struct {
	ip       string
	protocol corev1.Protocol
	port     int32
}

func (k *checker) container(c *corev1.Container, init bool, at *field.Path) field.ErrorList {
	faults := unique(c.Name, k.names, at.Child("name"))
	if c.Image == "" {
		faults = append(faults, field.Required(at.Child("image"), "the image to run"))
	}
	faults = append(faults, oneOf(c.ImagePullPolicy, at.Child("imagePullPolicy"), corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever)...)
	faults = append(faults, oneOf(c.TerminationMessagePolicy, at.Child("terminationMessagePolicy"), corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError)...)
	faults = append(faults, k.ports(c, init, at.Child("ports"))...)
	for i := range c.Env {
		faults = append(faults, environment(&c.Env[i], at.Child("env").Index(i))...)
	}
	faults = append(faults, k.mounts(c, at.Child("volumeMounts"))...)
	faults = append(faults, resources(&c.Resources, at.Child("resources"))...)
	return append(faults, probes(c, init, at)...)
}

// sidecar tells whether an init container goes on beside the others (KEP-753).
func sidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// unique judges a DNS label that must not stand twice.
func unique(name string, seen map[string]bool, at *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(at, "a name")}
	}
	if seen[name] {
		return field.ErrorList{field.Duplicate(at, name)}
	}
	seen[name] = true
	return each(name, at, utilvalidation.IsDNS1123Label)
}

// ports: no two containers may have one host port; an init container alone is judged for itself.
func (k *checker) ports(c *corev1.Container, init bool, at *field.Path) (faults field.ErrorList) {
	names, held := map[string]bool{}, k.hostPorts
	if init {
		held = map[hostPort]bool{}
	}
	for i, port := range c.Ports {
		at := at.Index(i)
		if port.Name != "" {
			faults = append(faults, each(port.Name, at.Child("name"), utilvalidation.IsValidPortName)...)
			if names[port.Name] {
				faults = append(faults, field.Duplicate(at.Child("name"), port.Name))
			}
			names[port.Name] = true
		}
		faults = append(faults, portNumber(port.ContainerPort, at.Child("containerPort"))...)
		faults = append(faults, oneOf(port.Protocol, at.Child("protocol"), corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP)...)
		number := port.HostPort
		if number == 0 {
			continue
		}
		faults = append(faults, portNumber(number, at.Child("hostPort"))...)
		if k.host && !init && number != port.ContainerPort {
			faults = append(faults, field.Invalid(at.Child("hostPort"), number, "must be the containerPort under hostNetwork"))
		}
		key := hostPort{port.HostIP, port.Protocol, number}
		if key.protocol == "" {
			key.protocol = corev1.ProtocolTCP
		}
		if held[key] {
			faults = append(faults, field.Duplicate(at.Child("hostPort"), number))
		}
		held[key] = true
	}
	return faults
}

func portNumber(port int32, at *field.Path) (faults field.ErrorList) {
	for _, message := range utilvalidation.IsValidPortNum(int(port)) {
		faults = append(faults, field.Invalid(at, port, message))
	}
	return faults
}

// environment: names are judged by the wider rule of KEP-4369, which holds from Kubernetes 1.30 on.
func environment(e *corev1.EnvVar, at *field.Path) (faults field.ErrorList) {
	if e.Name == "" {
		return field.ErrorList{field.Required(at.Child("name"), "the variable's name")}
	}
	faults = each(e.Name, at.Child("name"), utilvalidation.IsRelaxedEnvVarName)
	if e.ValueFrom == nil {
		return faults
	}
	from := at.Child("valueFrom")
	switch sources := given(e.ValueFrom); {
	case e.Value != "":
		faults = append(faults, field.Invalid(from, "", "must not stand beside a value"))
	case len(sources) != 1:
		faults = append(faults, field.Invalid(from, strings.Join(sources, ", "), "must have exactly one source"))
	}
	return faults
}

func (k *checker) mounts(c *corev1.Container, at *field.Path) (faults field.ErrorList) {
	paths := map[string]bool{}
	for _, device := range c.VolumeDevices {
		paths[device.DevicePath] = true
	}
	for i := range c.VolumeMounts {
		m, at := &c.VolumeMounts[i], at.Index(i)
		switch {
		case m.Name == "":
			faults = append(faults, field.Required(at.Child("name"), "the volume's name"))
		case !k.volumes[m.Name]:
			faults = append(faults, field.NotFound(at.Child("name"), m.Name))
		}
		switch {
		case m.MountPath == "":
			faults = append(faults, field.Required(at.Child("mountPath"), "where the volume is seen"))
		case paths[m.MountPath]:
			faults = append(faults, field.Invalid(at.Child("mountPath"), m.MountPath, "must be unique"))
		}
		paths[m.MountPath] = true
		if m.SubPath != "" && m.SubPathExpr != "" {
			faults = append(faults, field.Invalid(at.Child("subPathExpr"), m.SubPathExpr, "subPathExpr and subPath exclude each other"))
		}
		faults = append(faults, descends(m.SubPath, at.Child("subPath"))...)
		faults = append(faults, descends(m.SubPathExpr, at.Child("subPathExpr"))...)
	}
	return faults
}

// descends refuses a path that leaves the folder that it starts from.
func descends(path string, at *field.Path) (faults field.ErrorList) {
	if strings.HasPrefix(path, "/") {
		faults = append(faults, field.Invalid(at, path, "must be a relative path"))
	}
	return append(faults, noParent(path, at)...)
}

func noParent(path string, at *field.Path) field.ErrorList {
	for _, part := range strings.Split(path, "/") {
		if part == ".." {
			return field.ErrorList{field.Invalid(at, path, "must not contain '..'")}
		}
	}
	return nil
}
