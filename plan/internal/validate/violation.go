package validate

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
)

// Property names what a violation breaks. The set is closed: see [Properties].
type Property string

// The properties; what each says stands with the constants of package plan, and where each is judged above.
const (
	Form, S2, S4, S5, S6 Property = "Form", "S2", "S4", "S5", "S6"
	S7, S8, S9, S11      Property = "S7", "S8", "S9", "S11"
	S13, S14, Cohort, L3 Property = "S13", "S14", "Cohort", "L3"
)

// Properties returns the closed set, in a fixed order.
func Properties() []Property {
	return []Property{Form, S2, S4, S5, S6, S7, S8, S9, S11, S13, S14, Cohort, L3}
}

// Violation is one way in which a plan breaks a property on a snapshot.
type Violation struct {
	Property Property `json:"property"`
	// Action is the index in the plan's actions, and -1 if the violation is not of one action.
	Action int `json:"action"`
	// Node is the node that it is about; empty if it is about none.
	Node    string `json:"node,omitempty"`
	Message string `json:"message"`
}

// String puts property, action and node before the message.
func (v Violation) String() string {
	text := string(v.Property)
	if v.Action >= 0 {
		text += fmt.Sprintf(", action %d", v.Action)
	}
	if v.Node != "" {
		text += ", node " + v.Node
	}
	return text + ": " + v.Message
}

// Error makes a violation an error.
func (v Violation) Error() string { return v.String() }

// act is the action under judgement, with its index in the plan and the node that violations name.
type act struct {
	*model.Action
	index int
	node  string
}

// onNode lets violations name another node.
func (x act) onNode(name string) act { return act{x.Action, x.index, name} }

// breaks returns the one violation.
func (x act) breaks(property Property, format string, args ...any) []Violation {
	return []Violation{{property, x.index, x.node, fmt.Sprintf(format, args...)}}
}

// planBreaks returns one violation that is not of one action; the node may be empty.
func planBreaks(property Property, node, format string, args ...any) []Violation {
	return act{index: -1, node: node}.breaks(property, format, args...)
}
