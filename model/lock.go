package model

import "slices"

// LockKind names the kernel lock that a wrapper takes. Two generations of a component are kept
// apart only if the kinds of their locks exclude each other: see Excludes.
type LockKind string

const (
	// LockFcntl is the POSIX record lock, fcntl(F_SETLK, F_SETLKW): what s6-setlock takes. It belongs
	// to the process: it ends with it, survives exec, and is not handed to children.
	LockFcntl LockKind = "fcntl"
	// LockLockf is lockf(3), on Linux another door to the POSIX record lock.
	LockLockf LockKind = "lockf"
	// LockOFD is the open file description lock, fcntl(F_OFD_SETLK, F_OFD_SETLKW): children inherit it.
	LockOFD LockKind = "ofd"
	// LockFlock is flock(2), what flock(1) takes: children inherit it.
	LockFlock LockKind = "flock"
)

// LockKinds returns the closed set of lock kinds, in a fixed order.
func LockKinds() []LockKind {
	return []LockKind{LockFcntl, LockLockf, LockOFD, LockFlock}
}

// Excludes reports whether a holder of kind k keeps out a holder of kind o of the same file on one
// node. Measured on Linux: fcntl, lockf and OFD locks exclude each other, flock excludes flock only.
// A kind outside the closed set excludes nothing. The relation is symmetric.
func (k LockKind) Excludes(o LockKind) bool {
	class := k.class()
	return class != noLock && class == o.class()
}

type lockClass int

const (
	noLock lockClass = iota
	recordLock
	fileLock
)

func (k LockKind) class() lockClass {
	switch k {
	case LockFcntl, LockLockf, LockOFD:
		return recordLock
	case LockFlock:
		return fileLock
	default:
		return noLock
	}
}

// LockSettings is the field `lock` of the Rollout document: the name of a preset or a whole
// specification, never both.
type LockSettings struct {
	// Preset names a specification that ships with package lockspec, such as "datadog".
	Preset string `json:"preset,omitempty"`
	// Spec is a specification written out.
	Spec *LockSpec `json:"spec,omitempty"`
}

// LockSpec is everything that the lock wrapper needs to know about one agent. Package lockspec
// validates it, renders it into a Pod template and recognizes it in a Pod.
type LockSpec struct {
	// Schema is the version of the wrapper's protocol. Only "3" can be rendered.
	Schema string `json:"schema"`
	// Kind is the lock that Tool takes.
	Kind LockKind `json:"kind"`

	// HostDirectory holds the lock files on the node, one for each component; made if missing.
	// It is mounted in every component under the same path.
	HostDirectory string `json:"hostDirectory"`
	// StateDirectory is an emptyDir of the Pod. Its lock files tell the startup probe that a component runs.
	StateDirectory string `json:"stateDirectory"`
	// ToolsDirectory is an emptyDir of the Pod that the tool is copied into, read-only in the components.
	ToolsDirectory string `json:"toolsDirectory"`
	// Volumes names the volumes of the three directories.
	Volumes LockVolumes `json:"volumes"`

	// InitContainer names the init container that copies the tool.
	InitContainer string `json:"initContainer"`
	// ToolContainer names the container whose image has the tool.
	ToolContainer string `json:"toolContainer"`
	// Tool is the path of the tool in that image.
	Tool string `json:"tool"`
	// CopyCommand is the path of cp in that image.
	CopyCommand string `json:"copyCommand"`

	// Components lists the containers that may be wrapped. Empty: every container with a command.
	Components []LockComponent `json:"components,omitempty"`
	// InitContainers lists the init containers that may run beside the other generation, unlocked.
	// Empty: every init container that cannot write to the node.
	InitContainers []LockInitContainer `json:"initContainers,omitempty"`
	// AntiAffinity describes the one anti-affinity that may be narrowed. Nil: any anti-affinity is refused.
	AntiAffinity *LockAntiAffinity `json:"antiAffinity,omitempty"`
	// Allowlists are the platforms that admit the template's exact commands and no wrapped ones. A template that is made
	// for one is refused.
	Allowlists []LockAllowlist `json:"allowlists,omitempty"`
}

// LockAllowlist is a platform that admits Pods by their exact commands, and the label by which a template shows that it is made for it.
type LockAllowlist struct {
	// Platform is its name, for people.
	Platform string `json:"platform"`
	// Label of the Pod template; an empty value stands for any.
	Label LockLabel `json:"label"`
}

// LockVolumes names the volumes that the wrapper adds.
type LockVolumes struct {
	// Host is the volume of the host directory.
	Host string `json:"host"`
	// State is the volume of the state directory.
	State string `json:"state"`
	// Tools is the volume of the tools directory.
	Tools string `json:"tools"`
}

// LockComponent is a container that may be wrapped, with the forms its command may have.
type LockComponent struct {
	// Container is its name.
	Container string `json:"container"`
	// Commands lists the accepted forms; one of them must match.
	Commands []LockCommand `json:"commands"`
	// StartsOthers says that the component starts processes that must not outlive it, beside the next generation's. Under hostPID and
	// shareProcessNamespace nothing ends them with it, and the component is refused.
	StartsOthers bool `json:"startsOthers,omitempty"`
	// Assumes is what the lock cannot see of the component and takes for granted, in a sentence for people.
	Assumes string `json:"assumes,omitempty"`
}

// LockInitContainer is an init container that may run beside the other generation.
type LockInitContainer struct {
	// Container is its name.
	Container string `json:"container"`
	// Commands lists the accepted forms; one of them must match.
	Commands []LockCommand `json:"commands"`
	// WritableHostPaths are the directories of the node that it may write to.
	WritableHostPaths []string `json:"writableHostPaths,omitempty"`
	// Assumes is what is taken for granted of a container that runs unlocked, in a sentence for people.
	Assumes string `json:"assumes,omitempty"`
}

// LockCommand is one accepted form of a command: the words of command and args together. Every
// condition that is set must hold, and at least one must be set.
type LockCommand struct {
	// StartsWith are the first words, in order.
	StartsWith []string `json:"startsWith,omitempty"`
	// Contains are words that stand somewhere, in any order.
	Contains []string `json:"contains,omitempty"`
	// WordPrefixes must each begin some word, one without "..": a path is not to leave where it begins.
	WordPrefixes []string `json:"wordPrefixes,omitempty"`
	// Words is the exact number of words. 0: any number.
	Words int `json:"words,omitempty"`
	// Globs are the words, all of them in order, each as path.Match has it: no "*" leaves the folder in which it stands.
	Globs []string `json:"globs,omitempty"`
}

// LockAntiAffinity describes the anti-affinity of an agent that allows one Pod a node, whatever
// rollout it belongs to, and the labels by which it is narrowed so that two generations of one
// rollout can share a node.
type LockAntiAffinity struct {
	// Component is the label that the broad anti-affinity selects by: key and value.
	Component LockLabel `json:"component"`
	// NameKey is the label that names the agent's owner; the template must have it.
	NameKey string `json:"nameKey"`
	// ProfileKey is the label that names the profile; a template without it is the default profile.
	ProfileKey string `json:"profileKey"`
}

// LockLabel is a label with its value.
type LockLabel struct {
	// Key of the label.
	Key string `json:"key"`
	// Value of the label.
	Value string `json:"value"`
}

// DeepCopy returns a copy that shares nothing with the receiver. Empty lists stay as they are, nil or not.
func (s LockSpec) DeepCopy() LockSpec {
	s.Components = slices.Clone(s.Components)
	for i := range s.Components {
		s.Components[i].Commands = copyCommands(s.Components[i].Commands)
	}
	s.InitContainers = slices.Clone(s.InitContainers)
	for i := range s.InitContainers {
		c := &s.InitContainers[i]
		c.Commands = copyCommands(c.Commands)
		c.WritableHostPaths = slices.Clone(c.WritableHostPaths)
	}
	if s.AntiAffinity != nil {
		narrowed := *s.AntiAffinity
		s.AntiAffinity = &narrowed
	}
	s.Allowlists = slices.Clone(s.Allowlists)
	return s
}

func copyCommands(forms []LockCommand) []LockCommand {
	forms = slices.Clone(forms)
	for i := range forms {
		forms[i].StartsWith = slices.Clone(forms[i].StartsWith)
		forms[i].Contains = slices.Clone(forms[i].Contains)
		forms[i].WordPrefixes = slices.Clone(forms[i].WordPrefixes)
		forms[i].Globs = slices.Clone(forms[i].Globs)
	}
	return forms
}
