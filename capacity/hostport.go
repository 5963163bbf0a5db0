package capacity

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// HostPort is a port that a Pod occupies on its node.
type HostPort struct {
	Port     int32
	Protocol corev1.Protocol // TCP, UDP or SCTP
	HostIP   string          // 0.0.0.0 = every address
}

// everyAddress is how the API reads an empty host IP. The IPv6 "::" is an address like any other to the
// scheduler.
const everyAddress = "0.0.0.0"

func (p HostPort) String() string {
	if p.HostIP == everyAddress {
		return fmt.Sprintf("%d/%s", p.Port, p.Protocol)
	}
	return fmt.Sprintf("%d/%s on %s", p.Port, p.Protocol, p.HostIP)
}

// conflicts reports whether two Pods cannot hold the ports on one node: same number and protocol, and
// the addresses are equal or one of them is every address.
func (p HostPort) conflicts(q HostPort) bool {
	return p.Port == q.Port && p.Protocol == q.Protocol &&
		(p.HostIP == q.HostIP || p.HostIP == everyAddress || q.HostIP == everyAddress)
}

// hostPorts lists the ports of the Pod's containers and of its sidecars, in their order. On the node's
// own network every declared port is a host port: the API server fills it in, a rendered template need
// not have it yet.
func hostPorts(spec *corev1.PodSpec) []HostPort {
	var ports []HostPort
	add := func(c *corev1.Container) {
		for i := range c.Ports {
			declared := &c.Ports[i]
			p := HostPort{Port: declared.HostPort, Protocol: declared.Protocol, HostIP: declared.HostIP}
			if p.Port == 0 && spec.HostNetwork {
				p.Port = declared.ContainerPort
			}
			if p.Port <= 0 {
				continue
			}
			if p.Protocol == "" {
				p.Protocol = corev1.ProtocolTCP
			}
			if p.HostIP == "" {
				p.HostIP = everyAddress
			}
			ports = append(ports, p)
		}
	}
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			add(c)
		}
	}
	for i := range spec.Containers {
		add(&spec.Containers[i])
	}
	return ports
}
