package world

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/agent-rollout/planner/capacity"
)

// Amounts are requests of CPU, in thousandths of a core, and of memory, in bytes.
type Amounts struct{ MilliCPU, Memory int64 }

// Doubled is what the rollout's Pods on the node request beyond the greatest one of them, each resource for itself:
// nothing where there is one Pod or none. Only bound Pods count, and those that terminate until they are gone,
// since that is what the scheduler holds for them.
func (w *World) Doubled(name string) (doubled Amounts) {
	n := w.findNode(name)
	if n == nil || !n.shared() {
		return doubled
	}
	var greatest Amounts
	for _, p := range n.pods {
		if !p.holdsRoom() {
			continue
		}
		requests := capacity.Requests(p.base)
		cpu, memory := requests[corev1.ResourceCPU], requests[corev1.ResourceMemory]
		doubled.MilliCPU, doubled.Memory = doubled.MilliCPU+cpu.MilliValue(), doubled.Memory+memory.Value()
		greatest.MilliCPU, greatest.Memory = max(greatest.MilliCPU, cpu.MilliValue()), max(greatest.Memory, memory.Value())
	}
	return Amounts{doubled.MilliCPU - greatest.MilliCPU, doubled.Memory - greatest.Memory}
}

// shared tells whether more than one Pod of the rollout holds room on the node.
func (n *node) shared() bool {
	count := 0
	for _, p := range n.pods {
		if p.holdsRoom() {
			count++
		}
	}
	return count > 1
}

func (p *pod) holdsRoom() bool { return p.member && p.bound && !p.failed && !p.over }
