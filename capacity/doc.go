// Package capacity answers three questions about one Pod and one node, from API objects alone:
//
//   - Should the DaemonSet controller run this template here?   [NewPlacement], [Placement.Judge]
//   - Would the scheduler's filters take this Pod here?         [Fit], [NewRoom]
//   - May a Pending target cost its source the node?            [Fallback]
//
// [Preempt] says whom the scheduler would evict for a Pod, and [Measured] what a template's next Pod asks for after admission.
//
// # What it is not
//
// It is no scheduler: it ranks nothing, preempts nothing and looks at one node at a time. It decides
// no budget and takes no Pod away; [FitsOnceSourceGone] says that taking the source would help, and
// whether it may be spent is for the caller. It performs no I/O, reads no clock and never changes its
// input.
//
// # Where the rules come from
//
//   - Placement follows the DaemonSet controller's decision for one node (Kubernetes 1.34): node name,
//     node selector, required node affinity, then the taints, with the tolerations that the controller
//     adds to every Pod it makes. Readiness, cordons (but for their taint), room and host ports do not
//     enter it.
//   - Fit follows the scheduler's filters NodeName, NodeUnschedulable, TaintToleration, NodeAffinity,
//     NodePorts and NodeResourcesFit. Requests are those of k8s.io/component-helpers/resource: overhead,
//     init and sidecar containers (KEP-753), Pod-level resources (KEP-2837), and for running Pods what a
//     resize in place has actuated or allocated (KEP-1287).
//   - Node affinity is evaluated as k8s.io/component-helpers/scheduling/corev1/nodeaffinity does, by a
//     matcher that allocates nothing; a property test holds the two equal.
//   - Tolerations with the numeric operators Lt and Gt (KEP-5471) are evaluated: an API server without
//     that feature accepts no Pod that carries one.
//
// # Text is evidence, arithmetic is proof
//
// [ParseMessage] reads what the scheduler wrote into the condition PodScheduled. Its wording changes
// from release to release, so a text that is not understood in full is never capacity, and a text that
// is understood only permits the arithmetic to be done. The other way round, no arithmetic overrules a
// scheduler that names another reason.
//
// # Limits
//
//   - Pods on other nodes are not seen. A required anti-affinity of theirs over a wider topology than
//     the node (a zone, say) can still keep the target out; the target's own terms of that kind are
//     refused as [OtherConstraint].
//   - Volume claims, attached disks, resource claims and topology spread of the target are not judged:
//     a target that has any is [OtherConstraint].
//   - Extended resources that a scheduler extender or a device class manages are counted by the node's
//     allocatable, as any other.
//   - Amounts are int64: millicores for CPU, whole units (bytes) for the rest, both rounded up. Amounts
//     beyond int64 saturate, and negative requests, which no API server accepts, count as zero.
//   - A message longer than [MaxMessageBytes], or with more than [MaxReasons] reasons, is not read.
package capacity
