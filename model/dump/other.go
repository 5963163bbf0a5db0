package dump

import "encoding/json"

// Other is an object of a kind that this package does not read.
type Other struct {
	// Where it stands: input, document and item.
	Where            string
	APIVersion, Kind string

	text     []byte // JSON
	repeated error
}

// Decode decodes the object into T as strictly as a Rollout document: values of a wrong type, and unknown and repeated
// fields, are faults, all of which the *Error lists with their place and field path.
func Decode[T any](o Other) (*T, error) {
	faults := walkFaults[T](o.text, true)
	if o.repeated != nil {
		faults = append(faults, o.repeated.Error())
	}
	if len(faults) == 0 {
		object := new(T)
		err := json.Unmarshal(o.text, object)
		if err == nil {
			return object, nil
		}
		faults = append(faults, err.Error())
	}
	for i := range faults {
		faults[i] = o.Where + ": " + o.Kind + ": " + faults[i]
	}
	return nil, &Error{Faults: faults}
}
