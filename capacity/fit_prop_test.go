package capacity

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

type fitCase struct {
	pod    *corev1.Pod
	node   *corev1.Node
	others []*corev1.Pod
}

var fitResources = []corev1.ResourceName{"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "example.com/fpga"}

// drawList uses whole small numbers, so that equality is met often; CPU in steps of 100m.
var drawList = rapid.Custom(func(t *rapid.T) corev1.ResourceList {
	l := corev1.ResourceList{}
	for _, name := range fitResources {
		if rapid.IntRange(0, 2).Draw(t, "has "+string(name)) == 0 {
			continue
		}
		n := rapid.Int64Range(0, 4).Draw(t, string(name))
		if name == "cpu" {
			l[name] = *resource.NewMilliQuantity(100*n, resource.DecimalSI)
		} else {
			l[name] = *resource.NewQuantity(n, resource.DecimalSI)
		}
	}
	return l
})

var drawPort = rapid.Custom(func(t *rapid.T) corev1.ContainerPort {
	return corev1.ContainerPort{
		ContainerPort: rapid.Int32Range(1, 3).Draw(t, "containerPort"),
		HostPort:      rapid.Int32Range(0, 2).Draw(t, "hostPort"),
		Protocol:      rapid.SampledFrom([]corev1.Protocol{"", "TCP", "UDP"}).Draw(t, "protocol"),
		HostIP:        rapid.SampledFrom([]string{"", "0.0.0.0", "10.0.0.1", "10.0.0.2"}).Draw(t, "hostIP"),
	}
})

var drawContainer = rapid.Custom(func(t *rapid.T) corev1.Container {
	c := corev1.Container{}
	c.Resources.Requests = drawList.Draw(t, "requests")
	if rapid.IntRange(0, 2).Draw(t, "open") == 0 {
		c.Ports = rapid.SliceOfN(drawPort, 1, 2).Draw(t, "ports")
	}
	return c
})

var drawInitContainer = rapid.Custom(func(t *rapid.T) corev1.Container {
	c := drawContainer.Draw(t, "container")
	if rapid.Bool().Draw(t, "sidecar") {
		always := corev1.ContainerRestartPolicyAlways
		c.RestartPolicy = &always
	}
	return c
})

var drawPod = rapid.Custom(func(t *rapid.T) *corev1.Pod {
	p := &corev1.Pod{}
	p.Spec.Containers = rapid.SliceOfN(drawContainer, 1, 2).Draw(t, "containers")
	p.Spec.InitContainers = rapid.SliceOfN(drawInitContainer, 0, 2).Draw(t, "initContainers")
	p.Spec.HostNetwork = rapid.IntRange(0, 4).Draw(t, "hostNetwork") == 0
	if rapid.IntRange(0, 4).Draw(t, "hasOverhead") == 0 {
		p.Spec.Overhead = drawList.Draw(t, "overhead")
	}
	if rapid.IntRange(0, 4).Draw(t, "podLevel") == 0 {
		p.Spec.Resources = &corev1.ResourceRequirements{Requests: drawList.Draw(t, "Pod requests")}
	}
	return p
})

var drawFit = rapid.Custom(func(t *rapid.T) fitCase {
	c := fitCase{pod: drawPod.Draw(t, "pod"), node: node("n1", "")}
	c.node.Spec.Taints = rapid.SliceOfN(drawTaint, 0, 1).Draw(t, "taints")
	c.node.Spec.Unschedulable = rapid.IntRange(0, 5).Draw(t, "cordoned") == 0
	c.pod.Spec.Tolerations = rapid.SliceOfN(drawToleration, 0, 2).Draw(t, "tolerations")
	c.pod.UID = "target"
	for _, name := range fitResources {
		n := rapid.Int64Range(0, 14).Draw(t, "allocatable "+string(name))
		if name == "cpu" {
			c.node.Status.Allocatable[name] = *resource.NewMilliQuantity(100*n, resource.DecimalSI)
		} else {
			c.node.Status.Allocatable[name] = *resource.NewQuantity(n, resource.DecimalSI)
		}
	}
	c.node.Status.Allocatable["pods"] = *resource.NewQuantity(rapid.Int64Range(1, 5).Draw(t, "pods"), resource.DecimalSI)
	c.others = rapid.SliceOfN(drawPod, 0, 4).Draw(t, "others")
	for i, o := range c.others {
		o.Name, o.UID = fmt.Sprint("other-", i), types.UID(fmt.Sprint(i))
		o.Spec.NodeName = rapid.SampledFrom([]string{"n1", "n1", "n1", "n1", "n2", ""}).Draw(t, "bound to")
		o.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{"Running", "Running", "Running", "Pending", "Failed", "Succeeded", "Unknown"}).Draw(t, "phase")
		if rapid.IntRange(0, 3).Draw(t, "terminating") == 0 {
			terminating(o)
		}
	}
	return c
})

// slowRequest lives through the Pod's start: the greatest sum of what runs at any one time, or what the
// Pod as a whole asks for; plus overhead. In thousandths.
func slowRequest(p *corev1.Pod, name corev1.ResourceName) int64 {
	of := func(l corev1.ResourceList) int64 { q := l[name]; return q.MilliValue() }
	running, most := int64(0), int64(0)
	for _, c := range p.Spec.InitContainers {
		most = max(most, running+of(c.Resources.Requests))
		if c.RestartPolicy != nil {
			running += of(c.Resources.Requests)
		}
	}
	for _, c := range p.Spec.Containers {
		running += of(c.Resources.Requests)
	}
	most = max(most, running)
	if p.Spec.Resources != nil {
		if _, set := p.Spec.Resources.Requests[name]; set && (name == "cpu" || name == "memory" || name == "hugepages-2Mi") {
			most = of(p.Spec.Resources.Requests)
		}
	}
	return most + of(p.Spec.Overhead)
}

// slowFit lists what is short as plain strings, recomputed from scratch for each.
func slowFit(c fitCase) []string {
	holds := func(o *corev1.Pod) bool {
		return o.Spec.NodeName != "n2" && o.Status.Phase != "Failed" && o.Status.Phase != "Succeeded"
	}
	var short []string
	untolerated := func(t corev1.Taint) bool {
		return t.Effect != "PreferNoSchedule" &&
			!slices.ContainsFunc(c.pod.Spec.Tolerations, func(tol corev1.Toleration) bool { return toleratedBy(tol.ToleratesTaint, &t) })
	}
	for _, t := range c.node.Spec.Taints {
		if untolerated(t) {
			short = append(short, "taint "+t.Key)
		}
	}
	cordon := corev1.Taint{Key: "node.kubernetes.io/unschedulable", Effect: "NoSchedule"}
	sameTaint := func(t corev1.Taint) bool { return t.Key == cordon.Key && t.Effect == cordon.Effect && untolerated(t) }
	if c.node.Spec.Unschedulable && untolerated(cordon) && !slices.ContainsFunc(c.node.Spec.Taints, sameTaint) {
		short = append(short, "taint "+cordon.Key)
	}
	type listening struct {
		port     int32
		protocol corev1.Protocol
		ip       string
	}
	listens := func(p *corev1.Pod) (all []listening) {
		for i, c := range slices.Concat(p.Spec.InitContainers, p.Spec.Containers) {
			for _, cp := range c.Ports {
				l := listening{cp.HostPort, cp.Protocol, cp.HostIP}
				if l.port == 0 && p.Spec.HostNetwork {
					l.port = cp.ContainerPort
				}
				if l.protocol == "" {
					l.protocol = "TCP"
				}
				if l.port != 0 && (i >= len(p.Spec.InitContainers) || c.RestartPolicy != nil) {
					all = append(all, l)
				}
			}
		}
		return all
	}
	wide := func(ip string) bool { return ip == "" || ip == "0.0.0.0" }
	for _, mine := range listens(c.pod) {
		taken := false
		for _, o := range c.others {
			for _, theirs := range listens(o) {
				taken = taken || holds(o) && mine.port == theirs.port && mine.protocol == theirs.protocol &&
					(wide(mine.ip) || wide(theirs.ip) || mine.ip == theirs.ip)
			}
		}
		if taken {
			short = append(short, fmt.Sprint("port ", mine.port))
		}
	}
	count := int64(1)
	for _, o := range c.others {
		if holds(o) {
			count++
		}
	}
	if seats := c.node.Status.Allocatable["pods"]; count > seats.Value() {
		short = append(short, fmt.Sprint("pods, free ", seats.Value()-count+1))
	}
	for _, name := range fitResources[:3] {
		short = append(short, slowShort(c, name, holds)...)
	}
	return append(append(short, slowShort(c, "example.com/fpga", holds)...), slowShort(c, "hugepages-2Mi", holds)...)
}

func slowShort(c fitCase, name corev1.ResourceName, holds func(*corev1.Pod) bool) []string {
	q := c.node.Status.Allocatable[name]
	allocatable, free, want := q.MilliValue(), q.MilliValue(), slowRequest(c.pod, name)
	for _, o := range c.others {
		if holds(o) {
			free -= slowRequest(o, name)
		}
	}
	if want == 0 || want <= free {
		return nil
	}
	if name != "cpu" {
		want, free, allocatable = want/1000, free/1000, allocatable/1000
	}
	return []string{fmt.Sprintf("%s %d > %d of %d, never %t", name, want, free, allocatable, want > allocatable)}
}

// plain writes a shortfall as slowFit does.
func plain(s Shortfall) string {
	switch s.Kind {
	case ShortTaint:
		return "taint " + s.Taint.Key
	case ShortPort:
		return fmt.Sprint("port ", s.Port.Port)
	case ShortPods:
		return fmt.Sprint("pods, free ", s.Free)
	case ShortResource:
		return fmt.Sprintf("%s %d > %d of %d, never %t", s.Resource, s.Requested, s.Free, s.Allocatable, s.AboveAllocatable)
	default:
		return s.String()
	}
}

type fitter func(*corev1.Pod, *corev1.Node, []*corev1.Pod) []Shortfall

// fitEdited is Fit on copies that were changed first: what a Fit with one rule less would see.
func fitEdited(edit func(pod *corev1.Pod, node *corev1.Node, others []*corev1.Pod) []*corev1.Pod) fitter {
	return func(p *corev1.Pod, n *corev1.Node, os []*corev1.Pod) []Shortfall {
		p, n, os = p.DeepCopy(), n.DeepCopy(), slices.Clone(os)
		for i := range os {
			os[i] = os[i].DeepCopy()
		}
		os = edit(p, n, os)
		return Fit(p, n, os)
	}
}

func eachPod(edit func(*corev1.Pod)) fitter {
	return fitEdited(func(p *corev1.Pod, _ *corev1.Node, os []*corev1.Pod) []*corev1.Pod {
		for _, o := range append(os[:len(os):len(os)], p) {
			edit(o)
		}
		return os
	})
}

func withoutPods(drop func(*corev1.Pod) bool) fitter {
	return fitEdited(func(_ *corev1.Pod, _ *corev1.Node, os []*corev1.Pod) []*corev1.Pod {
		return slices.DeleteFunc(os, drop)
	})
}

func eachPort(edit func(*corev1.ContainerPort)) fitter {
	return eachPod(func(p *corev1.Pod) {
		for _, cs := range [][]corev1.Container{p.Spec.Containers, p.Spec.InitContainers} {
			for i := range cs {
				for j := range cs[i].Ports {
					edit(&cs[i].Ports[j])
				}
			}
		}
	})
}

func TestFitEqualsRecomputation(t *testing.T) {
	less := func(names ...corev1.ResourceName) fitter {
		return func(p *corev1.Pod, n *corev1.Node, os []*corev1.Pod) []Shortfall {
			return slices.DeleteFunc(Fit(p, n, os), func(s Shortfall) bool { return s.Kind == ShortResource && slices.Contains(names, s.Resource) })
		}
	}
	property[fitCase, fitter]{
		draw: drawFit,
		holds: func(c fitCase, fit fitter) string {
			var got []string
			for _, s := range fit(c.pod, c.node, c.others) {
				got = append(got, plain(s))
			}
			if want := slowFit(c); !slices.Equal(got, want) {
				return fmt.Sprintf("short of %q, recomputed %q", got, want)
			}
			return ""
		},
		reached: func(c fitCase) []string {
			short := Fit(c.pod, c.node, c.others)
			if len(short) == 0 {
				return []string{"fits"}
			}
			var r []string
			for _, s := range short {
				r = append(r, fmt.Sprintf("%s %s %t", s.Kind, s.Resource, s.AboveAllocatable))
			}
			return r
		},
		wanted: []string{"fits", "Taint  false", "HostPort  false", "TooManyPods  false", "Resource cpu false", "Resource cpu true",
			"Resource memory false", "Resource ephemeral-storage false", "Resource hugepages-2Mi false", "Resource example.com/fpga true"},
	}.check(t, Fit, map[string]fitter{
		"only CPU and memory":          less("ephemeral-storage", "hugepages-2Mi", "example.com/fpga"),
		"terminating Pods are gone":    withoutPods(func(o *corev1.Pod) bool { return o.DeletionTimestamp != nil }),
		"Pending Pods hold nothing":    withoutPods(func(o *corev1.Pod) bool { return o.Status.Phase == corev1.PodPending }),
		"nominated Pods hold nothing":  withoutPods(func(o *corev1.Pod) bool { return o.Spec.NodeName == "" }),
		"over Pods hold their room":    eachPod(func(p *corev1.Pod) { p.Status.Phase = corev1.PodRunning }),
		"Pods of other nodes count":    eachPod(func(p *corev1.Pod) { p.Spec.NodeName = "" }),
		"no overhead":                  eachPod(func(p *corev1.Pod) { p.Spec.Overhead = nil }),
		"no Pod-level resources":       eachPod(func(p *corev1.Pod) { p.Spec.Resources = nil }),
		"no init containers":           eachPod(func(p *corev1.Pod) { p.Spec.InitContainers = nil }),
		"declared ports stay inside":   eachPod(func(p *corev1.Pod) { p.Spec.HostNetwork = false }),
		"one protocol":                 eachPort(func(c *corev1.ContainerPort) { c.Protocol = corev1.ProtocolTCP }),
		"one address":                  eachPort(func(c *corev1.ContainerPort) { c.HostIP = "" }),
		"every address is one of many": eachPort(func(c *corev1.ContainerPort) { c.HostIP = "[" + c.HostIP + "]" }),
		"sidecars end": eachPod(func(p *corev1.Pod) {
			for i := range p.Spec.InitContainers {
				p.Spec.InitContainers[i].RestartPolicy = nil
			}
		}),
		"one Pod more": fitEdited(func(_ *corev1.Pod, n *corev1.Node, os []*corev1.Pod) []*corev1.Pod {
			q := n.Status.Allocatable["pods"]
			n.Status.Allocatable["pods"] = *resource.NewQuantity(q.Value()+1, resource.DecimalSI)
			return os
		}),
		"must leave something free": fitEdited(func(_ *corev1.Pod, n *corev1.Node, os []*corev1.Pod) []*corev1.Pod {
			q := n.Status.Allocatable["cpu"]
			n.Status.Allocatable["cpu"] = *resource.NewMilliQuantity(q.MilliValue()-1, resource.DecimalSI)
			return os
		}),
		"cordon ignored": fitEdited(func(_ *corev1.Pod, n *corev1.Node, os []*corev1.Pod) []*corev1.Pod {
			n.Spec.Unschedulable = false
			return os
		}),
		"the controller's tolerations added": fitEdited(func(p *corev1.Pod, _ *corev1.Node, os []*corev1.Pod) []*corev1.Pod {
			p.Spec.Tolerations = append(p.Spec.Tolerations, AddedTolerations(true)...)
			return os
		}),
	})
}
