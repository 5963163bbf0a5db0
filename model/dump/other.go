package dump

import "sigs.k8s.io/json"

// Other is an object of a kind that this package does not read.
type Other struct {
	// Where it stands: input, document and item.
	Where            string
	APIVersion, Kind string

	text   []byte // JSON
	place  place
	source source
}

// Decode decodes the object into T as strictly as a Rollout document: values of a wrong type, and unknown and repeated
// fields, are faults, all of which the *Error lists with their place and field path.
func Decode[T any](o Other) (*T, error) {
	faults := append(walkFaults[T](o.text, true), repeatedKeys(o.source)...)
	if len(faults) == 0 {
		object := new(T)
		err := json.UnmarshalCaseSensitivePreserveInts(o.text, object)
		if err == nil {
			return object, nil
		}
		faults = []fault{{text: err.Error()}}
	}
	o.source.locate(faults)
	refused := &Error{}
	for _, f := range faults {
		f.of = o.Kind
		refused.Faults = append(refused.Faults, o.place.onLine(f.line).String()+": "+f.String())
	}
	return nil, refused
}
