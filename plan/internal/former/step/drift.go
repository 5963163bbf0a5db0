package step

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Covers tells whether live says all that desired says: what the API server filled in is no drift. Zero values
// of desired say nothing, as in the API's JSON; lists must have the same length and agree element by element.
func Covers[T any](live, desired *T) bool {
	return says(reflect.ValueOf(live).Elem(), reflect.ValueOf(desired).Elem())
}

func says(live, desired reflect.Value) bool {
	switch desired.Kind() {
	case reflect.Pointer, reflect.Interface:
		switch {
		case desired.IsNil():
			return true
		case live.IsNil():
			return saysNothing(desired.Elem())
		}
		return says(live.Elem(), desired.Elem())
	case reflect.Struct:
		if want, ok := desired.Interface().(resource.Quantity); ok {
			have := live.Interface().(resource.Quantity)
			return have.Cmp(want) == 0
		}
		for i := range desired.NumField() {
			if !says(live.Field(i), desired.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		return desired.Len() == 0 || saysAll(live, desired)
	case reflect.Map:
		return saysKeys(live, desired)
	default:
		return desired.IsZero() || live.Equal(desired)
	}
}

// saysNothing tells whether a value is what the API's JSON leaves out, or an object with nothing in it.
func saysNothing(desired reflect.Value) bool {
	return says(reflect.Zero(desired.Type()), desired)
}

func saysAll(live, desired reflect.Value) bool {
	if live.Len() != desired.Len() {
		return false
	}
	for i := range desired.Len() {
		if !says(live.Index(i), desired.Index(i)) {
			return false
		}
	}
	return true
}

func saysKeys(live, desired reflect.Value) bool {
	for walk := desired.MapRange(); walk.Next(); {
		value := live.MapIndex(walk.Key())
		if !value.IsValid() || !says(value, walk.Value()) {
			return false
		}
	}
	return true
}
