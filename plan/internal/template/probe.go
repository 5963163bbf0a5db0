package template

import (
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// probes judges probes and hooks. An init container that ends has none.
func probes(c *corev1.Container, init bool, at *field.Path) (faults field.ErrorList) {
	three := []struct {
		name  string
		probe *corev1.Probe
		once  bool // one success is enough, and is all that may be asked for
	}{{"livenessProbe", c.LivenessProbe, true}, {"readinessProbe", c.ReadinessProbe, false}, {"startupProbe", c.StartupProbe, true}}
	ends := init && !sidecar(c)
	if c.Lifecycle != nil && ends {
		faults = append(faults, field.Forbidden(at.Child("lifecycle"), "an init container that ends has none"))
	}
	faults = append(faults, hooks(c.Lifecycle, at.Child("lifecycle"))...)
	for _, one := range three {
		if one.probe == nil {
			continue
		}
		at := at.Child(one.name)
		if ends {
			faults = append(faults, field.Forbidden(at, "an init container that ends has none"))
			continue
		}
		faults = append(faults, handler(&one.probe.ProbeHandler, at)...)
		faults = append(faults, timing(one.probe, at)...)
		if one.once && one.probe.SuccessThreshold > 1 {
			faults = append(faults, field.Invalid(at.Child("successThreshold"), one.probe.SuccessThreshold, "must be 1"))
		}
		if grace := one.probe.TerminationGracePeriodSeconds; grace != nil {
			if one.name == "readinessProbe" {
				faults = append(faults, field.Invalid(at.Child("terminationGracePeriodSeconds"), *grace, "must not be set for readinessProbes"))
			}
			faults = append(faults, above(*grace, 1, at.Child("terminationGracePeriodSeconds"))...)
		}
	}
	return faults
}

func timing(p *corev1.Probe, at *field.Path) (faults field.ErrorList) {
	for _, number := range []struct {
		name  string
		value int32
	}{
		{"initialDelaySeconds", p.InitialDelaySeconds}, {"timeoutSeconds", p.TimeoutSeconds}, {"periodSeconds", p.PeriodSeconds},
		{"successThreshold", p.SuccessThreshold}, {"failureThreshold", p.FailureThreshold},
	} {
		faults = append(faults, above(int64(number.value), 0, at.Child(number.name))...)
	}
	return faults
}

func hooks(l *corev1.Lifecycle, at *field.Path) (faults field.ErrorList) {
	if l == nil {
		return nil
	}
	for _, hook := range []struct {
		name string
		of   *corev1.LifecycleHandler
	}{{"postStart", l.PostStart}, {"preStop", l.PreStop}} {
		if hook.of == nil {
			continue
		}
		at := at.Child(hook.name)
		faults = append(faults, exactlyOne(hook.of, at)...)
		if hook.of.HTTPGet != nil {
			faults = append(faults, portOf(hook.of.HTTPGet.Port, at.Child("httpGet", "port"))...)
		}
	}
	return faults
}

func handler(h *corev1.ProbeHandler, at *field.Path) field.ErrorList {
	faults := exactlyOne(h, at)
	switch {
	case h.Exec != nil && len(h.Exec.Command) == 0:
		faults = append(faults, field.Required(at.Child("exec", "command"), "the command to run"))
	case h.HTTPGet != nil:
		faults = append(faults, portOf(h.HTTPGet.Port, at.Child("httpGet", "port"))...)
		faults = append(faults, oneOf(h.HTTPGet.Scheme, at.Child("httpGet", "scheme"), corev1.URISchemeHTTP, corev1.URISchemeHTTPS)...)
	case h.TCPSocket != nil:
		faults = append(faults, portOf(h.TCPSocket.Port, at.Child("tcpSocket", "port"))...)
	case h.GRPC != nil:
		faults = append(faults, portNumber(h.GRPC.Port, at.Child("grpc", "port"))...)
	}
	return faults
}

func portOf(port intstr.IntOrString, at *field.Path) field.ErrorList {
	if port.Type == intstr.String {
		return each(port.StrVal, at, utilvalidation.IsValidPortName)
	}
	return portNumber(port.IntVal, at)
}

// exactlyOne judges a union: a struct of pointers of which one is set.
func exactlyOne(union any, at *field.Path) field.ErrorList {
	switch names := given(union); len(names) {
	case 0:
		return field.ErrorList{field.Required(at, "must have one of its kinds")}
	case 1:
		return nil
	default:
		return field.ErrorList{field.Forbidden(at, strings.Join(names, " and ")+" exclude each other")}
	}
}

// given names, as JSON does, the pointers of a struct that are set, in the order of its fields.
func given(union any) (names []string) {
	value := reflect.ValueOf(union).Elem()
	for i := range value.NumField() {
		if value.Field(i).Kind() == reflect.Pointer && !value.Field(i).IsNil() {
			name, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}
