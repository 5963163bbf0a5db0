// Package world is a small model of Kubernetes around a planner: the API server, the DaemonSet
// controller, the scheduler, the kubelets, the garbage collector, the kernel's file locks, and the
// people and faults that disturb them.
//
// It is driven from outside. [World.Enabled] lists what could happen next by itself, [World.Faults]
// what could go wrong, [World.Do] lets one of them happen, and [World.Apply] carries out one request of
// an executor. Package simulate picks by time, a test picks at random, a checker takes all. The world has
// no clock and no randomness: the instant is an argument, names and UIDs come from counters and hashes, so
// the same calls give the same objects.
//
// # Where the rules come from
//
//   - DaemonSet controller: Kubernetes 1.34, the manage step in controller.go, the rolling update in
//     rolling.go; examples/differential compares both with the real one on random clusters. Its expectations are
//     not modelled, but that the update step waits until the manage step has nothing to do: a sync sees what
//     the API server has. Nor are the back-off of failed Pods and the manage step's limit of 250. It acts on
//     the spec that it has observed, and status.observedGeneration says which one that is.
//   - A node that turns away loses only Pods that are bound. A Pod that waits unbound stays until
//     somebody writes its DaemonSet (seen on 1.33 and later).
//   - Admission: what is refused leaves no object behind, and its controller tries again (API concepts, admission control).
//   - Deletion: a finalizer keeps the object alone. Once its processes have ended, the kubelet has written a terminal phase (1.27 and
//     later), and the controller makes the next Pod. While they do not end, or the kubelet is silent, it makes none.
//   - Eviction: on a node under pressure the kubelet fails every Pod that has not started, though the controller makes it tolerate the
//     pressure's taint (node-pressure eviction).
//   - Scheduler: package capacity's filters for the one node that a DaemonSet's Pod is pinned to, with the
//     messages of 1.37. It does not preempt.
//   - Kubelet: images, init containers, then the containers one after the other; probes; crash and restart;
//     termination. On a node that is not Ready nothing starts and nothing ends.
//   - Locks: fcntl(2) record locks and flock(2), as model.LockKind says which exclude each other. A lock ends
//     with its process.
//   - Garbage collector: background, foreground and orphan deletion of a DaemonSet.
//
// # What it is not
//
// Pods of other workloads are scenery: they occupy room and ports and never change, and other DaemonSets
// make no Pods on a node that joins. Admission refuses or takes and changes nothing, what runs
// is evicted only when a driver asks for it, and there are no volumes and no Services. A restartable init container runs from the end of the init phase until the Pod ends,
// and never crashes. A removed node takes its Pods with it at once. A node that is NotReady is tainted
// not-ready or unreachable at once, with both hard effects, where the real cluster takes the
// node-monitor-grace-period.
package world
