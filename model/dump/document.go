package dump

import (
	gojson "encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/json"

	"github.com/agent-rollout/planner/model"
)

// rolloutDocument is the Rollout as it was read.
type rolloutDocument struct {
	rollout   *model.Rollout
	otherPods bool // it has the field status.otherPods
	place     place
	source    source
}

// located renders the faults, each with the place and the line of its field.
func (d *rolloutDocument) located(faults []fault) (texts []string) {
	if d == nil { // the Rollout was read from nowhere
		for _, f := range faults {
			texts = append(texts, f.String())
		}
		return texts
	}
	d.source.locate(faults)
	for _, f := range faults {
		texts = append(texts, fmt.Sprintf("%s: %s", d.place.onLine(f.line), f))
	}
	return texts
}

// decodeRollout decodes our own document strictly. One with faults is read without the fields that have them, so that the
// faults of its other values are listed too.
func decodeRollout(it item, text []byte) (*rolloutDocument, []fault) {
	w := walker{strict: true}
	w.walk(text, reflect.TypeFor[model.Rollout](), nil)
	faults := append(w.faults, repeatedKeys(it.source)...)
	rollout := new(model.Rollout)
	err := json.UnmarshalCaseSensitivePreserveInts(leftOut(text, w.misread), rollout)
	switch {
	case err != nil && len(faults) == 0:
		faults = append(faults, fault{text: err.Error()})
	case err == nil && len(faults) > 0 && len(faults) <= maxFaults:
		faults = append(faults, valueFaults(rollout, w.misread)...)
	}
	for i := range faults {
		faults[i].of = model.RolloutKind
	}
	return &rolloutDocument{rollout: rollout, otherPods: hasField(text, "status", "otherPods"), source: it.source.kept()}, faults
}

// leftOut returns the text with values in the place of those that were not read that leave their fields as they are.
func leftOut(text []byte, values []misread) []byte {
	if len(values) == 0 {
		return text
	}
	out, from := make([]byte, 0, len(text)), 0
	for _, m := range values {
		at := cap(text) - cap(m.value) // where this part of the text begins
		out = append(append(out, text[from:at]...), m.instead()...)
		from = at + len(m.value)
	}
	return append(out, text[from:]...)
}

// instead is null, which the decoder passes over, or the zero value of a type that does not take null, as a duration.
func (m *misread) instead() []byte {
	null := []byte("null")
	if m.want == nil || json.UnmarshalCaseSensitivePreserveInts(null, reflect.New(m.want).Interface()) == nil {
		return null
	}
	zero, err := gojson.Marshal(reflect.Zero(m.want).Interface())
	if err != nil {
		return null
	}
	return zero
}

// valueFaults are the faults of a document that is not complete: without those that the fields that were not read may be the
// cause of, and without the instant, which the objects may tell.
func valueFaults(rollout *model.Rollout, left []misread) (faults []fault) {
	known := *rollout
	if known.Status.ObservedAt.IsZero() {
		known.Status.ObservedAt = metav1.NewTime(time.Unix(0, 0))
	}
	for _, wrong := range known.Validate() {
		if !followsFrom(wrong, left) {
			faults = append(faults, fault{path: wrong.Field, text: wrong.ErrorBody()})
		}
	}
	return faults
}

// followsFrom tells whether a fault may be there only because a field was not read: it is of that field or of what holds it
// or of what is in it, speaks of it by its name, or says that something beside it is missing.
func followsFrom(fault *field.Error, left []misread) bool {
	for _, m := range left {
		if m.at == nil {
			return true
		}
		at := m.at.String()
		parent, name := "", at
		if dot := strings.LastIndexByte(at, '.'); dot >= 0 {
			parent, name = at[:dot+1], at[dot+1:]
		}
		beside := strings.HasPrefix(fault.Field, parent) && !strings.Contains(fault.Field[len(parent):], ".")
		if inside(fault.Field, at) || inside(at, fault.Field) || strings.Contains(fault.Detail, name) ||
			fault.Type == field.ErrorTypeRequired && beside {
			return true
		}
	}
	return false
}

// inside tells whether a path is the outer one or begins with it.
func inside(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
