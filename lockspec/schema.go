package lockspec

import (
	"fmt"

	"github.com/agent-rollout/planner/model"
)

// Schema is the version of the protocol that Wrap renders and Inspect recognizes.
const Schema = model.SchemaPair

// CheckSchema judges the schema annotation of a Pod or template, whose key belongs to the rollout's
// domain. A missing annotation, given as "", is accepted: then the Pod spec alone decides. Schema 2
// took a lock of another kind, which excludes none of ours.
func CheckSchema(schema string) error {
	switch schema {
	case "", Schema:
		return nil
	case "2":
		return &OverlapError{Difference: DifferentSchema, A: schema, B: Schema,
			Advice: "disable the rollout under the operator that began it, wait until no Pod of schema 2 is left, then enable it again"}
	default:
		return &OverlapError{Difference: DifferentSchema, A: schema, B: Schema,
			Advice: "use a release of this library that knows schema " + schema + ", or disable the rollout first"}
	}
}

// Difference says what keeps two Pods from sharing a node. The set is closed.
type Difference string

const (
	// NotWrapped: a container holds no lock, or not in the form that Wrap renders.
	NotWrapped Difference = "NotWrapped"
	// DifferentKind: the locks do not exclude each other.
	DifferentKind Difference = "DifferentKind"
	// DifferentDirectory: the lock files lie in different directories of the node.
	DifferentDirectory Difference = "DifferentDirectory"
	// DifferentComponents: one Pod has a component that the other has not.
	DifferentComponents Difference = "DifferentComponents"
	// DifferentFile: a component locks another file.
	DifferentFile Difference = "DifferentFile"
	// DifferentSchema: the protocol versions cannot meet.
	DifferentSchema Difference = "DifferentSchema"
)

// OverlapError says why two Pods must not share a node. Open it with errors.As.
type OverlapError struct {
	Difference Difference
	// Container is the container that differs, "" if the Pod as a whole does.
	Container string
	// A and B are what the two Pods have, in the order of the arguments; "" where one has nothing.
	A, B string
	// Advice says what to do about it.
	Advice string
}

// Error names the difference, what either Pod has, and what to do.
func (e *OverlapError) Error() string {
	subject := "the Pods"
	if e.Container != "" {
		subject = fmt.Sprintf("container %q", e.Container)
	}
	return fmt.Sprintf("%s: %s: %s and %s: %s", e.Difference, subject, orNothing(e.A), orNothing(e.B), e.Advice)
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return fmt.Sprintf("%q", s)
}
