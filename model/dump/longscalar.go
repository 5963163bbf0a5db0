package dump

import (
	"bytes"
	"reflect"
)

// longestScalar is the most bytes, quotes included, of a number, quantity, percentage, duration or time. The libraries that
// read them take time with the square of their digits; no value that means something comes near.
const longestScalar = 1024

// tooLong tells whether a value is longer than one of its type can be. Texts and bytes may have any length.
func tooLong(text []byte, want reflect.Type) bool {
	if len(text) <= longestScalar || classes[text[0]] == opens {
		return false
	}
	return readsItself(want) || want.Kind() != reflect.String && want.Kind() != reflect.Slice
}

// mayBeTooLong tells whether a JSON text has a value of any type that is longer than a number may be and begins like one.
func mayBeTooLong(text []byte) bool {
	s := scanner{text: text}
	for s.at < len(text) {
		begin := s.at
		switch classes[text[begin]] {
		case quote:
			if s.skipString() != nil {
				return false // the decoder refuses it before it looks at any value
			}
		case other:
			for s.at < len(text) && classes[text[s.at]] == other {
				s.at++
			}
		default:
			s.at++
		}
		if s.at-begin > longestScalar && beginsLikeNumber(text[begin:s.at]) {
			return true
		}
	}
	return false
}

func beginsLikeNumber(value []byte) bool {
	value = bytes.TrimLeft(value, ":\" \t\n\r")
	return len(value) > 0 && (bytes.IndexByte([]byte("+-.\\"), value[0]) >= 0 || value[0] >= '0' && value[0] <= '9')
}
