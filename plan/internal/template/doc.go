// Package template checks a DaemonSet as far as the API server's answer can be told without one: [Check] lists every fault, with its
// field path. A template that the server refuses would be written again and again, in vain.
//
// The rules are those of the API reference for DaemonSet and Pod (apps/v1, core/v1), and only those that no feature gate changes: what
// is refused here is refused by every server. [Unchecked] says what is left to the server.
//
// Files, in reading order:
//
//	check.go      the DaemonSet: names, selector, strategy, metadata of the template
//	pod.go        the Pod: restart policy, host namespaces, tolerations
//	container.go  containers: names, images, ports, environment, mounts
//	probe.go      probes and lifecycle hooks
//	resources.go  requests and limits
//	volume.go     volumes
//	affinity.go   affinity between Pods and to nodes
package template

// Unchecked is what only the API server can tell, and how to ask it.
const Unchecked = "not checked here: admission (webhooks, policies, Pod security), quotas, fields behind feature gates, and whether what the template names exists. " +
	"Ask the server: kubectl apply --dry-run=server -f DAEMONSET"
