// Package lockspec keeps two generations of a node agent's components apart by kernel locks, so
// that the next generation can be pulled, started and made ready to run beside the one that serves.
//
// Wrap puts every container of a Pod template behind a lock file on the node. Refuse lists
// everything that speaks against it. Inspect reads from any Pod what it really runs, and MayOverlap
// decides whether two Pods may share a node. Preset and Resolve supply the specification: the facts
// of one agent are data.
//
// # The protocol, schema 3
//
// A component is started as
//
//	TOOL HOSTDIR/<container>.lock TOOL STATEDIR/<container>.active.lock <command and args>
//
// The tool takes the lock, waiting as long as it must, and then executes its arguments in place:
// one process waits, holds both locks and becomes the component. The first lock lies on the node
// and keeps the other generation out. The second lies in the Pod and tells the startup probe that
// the first was granted; until then the container shows started: false, the liveness probe rests,
// and a well prepared Pod is not Ready. The last init container copies the tool out of the image.
//
// # What the lock promises
//
// At most one process at a time is the main process of a component on a node, across all Pods whose
// pairs MayOverlap accepts. The kernel ends the lock with the process, also under SIGKILL and with
// the node; there is no lock to clean up.
//
// # What it does not promise
//
// The lock belongs to the main process and is not handed to its children. While a process exits,
// the kernel closes its files, and so grants the lock to the waiter, before it tells anyone of the
// exit. What the children do then depends on where the main process stood, in three arrangements:
//
//   - As PID 1 of a PID namespace of its own (the default) its end ends the namespace: the kernel
//     kills every process in it right after the files are closed. A child can outlive the lock by
//     that moment.
//   - Under hostPID, the norm for node agents, and under shareProcessNamespace, the main process is
//     not PID 1. The kernel kills nobody: children are handed to a subreaper such as the container's
//     shim, or to PID 1, which is the pause container's in a shared namespace. The runtime kills
//     what is left in the container once it has noticed the exit of its main process (containerd's
//     shim does so for containers without a private PID namespace, other runtimes at the latest
//     when the container is removed). Until then, longer on a node under load or with a hung shim,
//     children of the old generation run beside the new generation's program. A child that left
//     the container's cgroup is never killed.
//
// All three, a namespace of its own, hostPID and shareProcessNamespace, are supported. The last two
// are accepted by one measure: the window is the same, and Kubernetes has it at every restart of a
// container. A component that waits for its children before it exits, as one that is stopped by
// SIGTERM should, has no window. One whose children hold what cannot be held twice (a port, a socket
// path) must bear it as it bears the restart of its own container.
//
// A waiting component is the tool, which has no handler for SIGTERM. Under hostPID and
// shareProcessNamespace it ends at once when its Pod is deleted. As PID 1 of its own namespace it
// does not: the kernel drops the signal, and the Pod stays until its grace period is over and
// SIGKILL comes. If the lock is granted within that time, the program runs for the rest of it. That
// is slow, not unsafe: the lock holds all the same.
//
// A holder can also lose the lock: the process opens and closes the lock file itself (a POSIX
// record lock goes with any descriptor of the file, also one opened through another mount of the
// same directory), or closes the descriptor that it inherited. A loader that starts the component
// as a child keeps the lock for itself; one that executes it in place passes it on.
//
// # What belongs in a runbook
//
// Nothing may remove or replace lock files while a Pod runs: a second holder gets in through a new
// inode. Exclude the host directory from cleaners of /run and /tmp (systemd-tmpfiles, image
// hardening). To look: /proc/locks on the node lists every holder as POSIX ... WRITE pid
// device:inode. If that inode is not the one that `stat -c %i` shows for the path, or
// /proc/PID/fd/3 of a component ends in "(deleted)", the lock was replaced: delete
// the Pod that holds the deleted file, before its node takes part in any overlap. FLOCK instead of POSIX means a release of the tool that takes
// another lock: its Pods must not overlap with the others, and neither Inspect nor MayOverlap can
// see it, for the release stands in no Pod spec.
//
// The host directory must be on a local file system, the same one for every Pod: lock files on
// overlay or network file systems are not covered by what was measured.
//
// The package does no I/O. It knows nothing of node labels, slots or budgets.
package lockspec
