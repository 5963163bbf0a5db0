package step

import (
	"errors"
	"strings"

	"github.com/agent-rollout/planner/lockspec"
	"github.com/agent-rollout/planner/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// BlockedError says why nothing can be rendered, or why a rollout stands still: the reason and the message of the Blocked
// condition. It unwraps to a *RefusedError if the template was refused.
type BlockedError struct {
	Reason  model.Reason
	Message string
	cause   error
}

// Block returns a cause without another one behind it.
func Block(reason model.Reason, message string) *BlockedError { return BlockFor(reason, message, nil) }

// BlockFor returns a cause with the error behind it, nil for none.
func BlockFor(reason model.Reason, message string, cause error) *BlockedError {
	return &BlockedError{Reason: reason, Message: message, cause: cause}
}

// Error returns the message.
func (e *BlockedError) Error() string { return string(e.Reason) + ": " + e.Message }

// Unwrap returns the refusals, if there are any.
func (e *BlockedError) Unwrap() error { return e.cause }

// RefusedError lists all that keeps a template from being rolled out.
type RefusedError struct {
	Faults field.ErrorList
	// As is what it cannot be rolled out as: "a pair".
	As string
}

// Error lists the refusals in one line, as a condition carries them.
func (e *RefusedError) Error() string {
	lines := make([]string, len(e.Faults))
	for i, fault := range e.Faults {
		lines[i] = fault.Error()
	}
	return "the template cannot be rolled out as " + e.As + ": " + strings.Join(lines, "; ")
}

// RefusalsOf returns every fault that the wrapper found in a template.
func RefusalsOf(err error) field.ErrorList {
	var refused *lockspec.RefusedError
	if errors.As(err, &refused) {
		return refused.Faults
	}
	return field.ErrorList{field.InternalError(field.NewPath("spec", "template"), err)}
}
