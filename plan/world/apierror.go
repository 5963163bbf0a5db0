package world

import (
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

// Error is the API server's refusal of a write, which then had no effect. It has the form of an API
// status, so that the predicates of k8s.io/apimachinery/pkg/api/errors (IsConflict and so on) know it.
type Error struct {
	// Reason is NotFound, AlreadyExists, Conflict or Invalid: the set is closed.
	Reason metav1.StatusReason
	Object model.ObjectRef
	Detail string
}

// Error reads: Conflict (409): Pod/a/b: …
func (e *Error) Error() string {
	return fmt.Sprintf("%s (%d): %s: %s", e.Reason, e.Code(), e.Object, e.Detail)
}

// Code is the HTTP status.
func (e *Error) Code() int {
	switch e.Reason {
	case metav1.StatusReasonNotFound:
		return http.StatusNotFound
	case metav1.StatusReasonAlreadyExists, metav1.StatusReasonConflict:
		return http.StatusConflict
	default:
		return http.StatusUnprocessableEntity
	}
}

// Status is the API server's answer in full.
func (e *Error) Status() metav1.Status {
	return metav1.Status{
		Status: metav1.StatusFailure, Reason: e.Reason, Code: int32(e.Code()), Message: e.Error(),
		Details: &metav1.StatusDetails{Name: e.Object.Name, Kind: e.Object.Kind, UID: e.Object.UID},
	}
}

func notFound(ref model.ObjectRef) error {
	return &Error{metav1.StatusReasonNotFound, ref, "not found"}
}

func conflict(ref model.ObjectRef, detail string) error {
	return &Error{metav1.StatusReasonConflict, ref, detail}
}

func invalid(ref model.ObjectRef, format string, args ...any) error {
	return &Error{metav1.StatusReasonInvalid, ref, fmt.Sprintf(format, args...)}
}
