package execute

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/agent-rollout/planner/model"
)

// Result is what became of a request.
type Result struct {
	outcome outcome
	result  *model.Result
	err     error
}

type outcome uint8

const (
	unknown outcome = iota // the zero Result: nobody knows
	applied
	refused // it had no effect
)

// Applied is the result of a request that was carried out; the object is what the API server returned, and may be nil after a deletion.
func Applied(object metav1.Object) Result {
	if object == nil {
		return Stored(model.Result{})
	}
	return Stored(model.Result{UID: object.GetUID(), ResourceVersion: object.GetResourceVersion(), Generation: object.GetGeneration()})
}

// Stored is Applied for who has not the object itself.
func Stored(result model.Result) Result { return Result{outcome: applied, result: &result} }

// Refused is the result of a request that the API server has refused: it had no effect.
func Refused(err error) Result { return Result{outcome: refused, err: err} }

// Unknown is the result of a request that got no answer, or one that does not tell: a time-out, a broken connection, an error of the server.
func Unknown(err error) Result { return Result{outcome: unknown, err: err} }

// Outcome chooses by the error of a client: a status below 500 is a refusal, but for 408, and everything else unknown. It reads the error by its
// Status method, as the errors of client-go have it.
func Outcome(object metav1.Object, err error) Result {
	switch code := codeOf(err); {
	case err == nil:
		return Applied(object)
	case code >= 400 && code < 500 && code != requestTimeout:
		return Refused(err)
	}
	return Unknown(err)
}

// String is "applied", "refused" or "unknown".
func (r Result) String() string {
	switch r.outcome {
	case applied:
		return "applied"
	case refused:
		return "refused"
	case unknown:
	}
	return "unknown"
}

// HTTP statuses.
const (
	notFound       = 404
	requestTimeout = 408
	conflict       = 409
	invalid        = 422
)

// codeOf is the HTTP status of an error, 0 if it has none.
func codeOf(err error) int {
	var status interface{ Status() metav1.Status }
	if !errors.As(err, &status) {
		return 0
	}
	return int(status.Status().Code)
}

// guarded tells whether a refusal may come from a cache that is too old: the object is gone or there already, or is not what the request tests.
// An error without a status is taken for one.
func guarded(err error) bool {
	switch codeOf(err) {
	case 0, notFound, conflict, invalid:
		return true
	}
	return false
}
