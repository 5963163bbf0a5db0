package model

import "fmt"

// Slot is one of the two DaemonSets of a pair. A rollout on one DaemonSet uses only Blue.
type Slot uint8

const (
	// NoSlot is the zero value: no slot at all.
	NoSlot Slot = iota
	// Blue keeps the name and the selector of the rendered DaemonSet.
	Blue
	// Green is the second DaemonSet of the pair.
	Green
)

// Slots lists both slots in their one order.
func Slots() [2]Slot { return [2]Slot{Blue, Green} }

// Other returns the opposite slot, and NoSlot for NoSlot.
func (s Slot) Other() Slot {
	switch s {
	case Blue:
		return Green
	case Green:
		return Blue
	case NoSlot:
		return NoSlot
	}
	return NoSlot
}

// String returns the persisted word of the slot, and "" for NoSlot.
func (s Slot) String() string {
	switch s {
	case Blue:
		return "blue"
	case Green:
		return "green"
	case NoSlot:
		return ""
	}
	return ""
}

// ParseSlot reads a persisted slot word.
func ParseSlot(word string) (Slot, bool) {
	switch word {
	case "blue":
		return Blue, true
	case "green":
		return Green, true
	}
	return NoSlot, false
}

// MarshalText writes the persisted word.
func (s Slot) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a persisted word; the empty text is NoSlot.
func (s *Slot) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = NoSlot
		return nil
	}
	slot, ok := ParseSlot(string(text))
	if !ok {
		return fmt.Errorf("unknown slot %q: want blue or green", text)
	}
	*s = slot
	return nil
}

// LabelKind says what a node's slot label means.
type LabelKind uint8

const (
	// Unlabelled means that the label is absent: the slot that owns unlabelled nodes serves.
	Unlabelled LabelKind = iota
	// Serves means that exactly one slot is admitted.
	Serves
	// Overlaps means that both slots are admitted; the label names the direction.
	Overlaps
	// Released means that no slot is admitted until the Pods of the former one are gone.
	Released
	// Foreign is any other value: it admits no slot.
	Foreign
)

// NodeLabel is the meaning of a node's slot label.
type NodeLabel struct {
	Kind LabelKind
	// To is the slot that serves, or that is to serve; NoSlot if Unlabelled or Foreign.
	To Slot
}

// ParseNodeLabel reads the label's value. The legacy values blue-pending and green-pending mean
// that the slot is the target already. What is not understood, the empty value included, is Foreign.
func ParseNodeLabel(value string, present bool) NodeLabel {
	if !present {
		return NodeLabel{}
	}
	switch value {
	case "blue", "blue-pending":
		return NodeLabel{Serves, Blue}
	case "green", "green-pending":
		return NodeLabel{Serves, Green}
	case "blue-to-green":
		return NodeLabel{Overlaps, Green}
	case "green-to-blue":
		return NodeLabel{Overlaps, Blue}
	case "released-to-blue":
		return NodeLabel{Released, Blue}
	case "released-to-green":
		return NodeLabel{Released, Green}
	}
	return NodeLabel{Kind: Foreign}
}

// Value returns the value that is written for the label, and false where the label is removed.
func (l NodeLabel) Value() (string, bool) {
	switch l.Kind {
	case Serves:
		return l.To.String(), true
	case Overlaps:
		return l.To.either("green-to-blue", "blue-to-green"), true
	case Released:
		return l.To.either("released-to-blue", "released-to-green"), true
	case Unlabelled, Foreign:
		return "", false
	}
	return "", false
}

// either returns the word for the slot; green's is also that of none.
func (s Slot) either(blue, green string) string {
	if s == Blue {
		return blue
	}
	return green
}

// Admits tells whether a node with this label takes Pods of the slot; ownsUnlabelled says whether
// the slot's affinity also accepts nodes without the label.
func (l NodeLabel) Admits(slot Slot, ownsUnlabelled bool) bool {
	switch l.Kind {
	case Unlabelled:
		return ownsUnlabelled
	case Serves:
		return l.To == slot
	case Overlaps:
		return true
	case Released, Foreign:
		return false
	}
	return false
}
