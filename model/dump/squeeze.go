package dump

// unread are the fields, by the depth of the object that has them, that no planning step reads and that make up
// much of a dump. They are dropped before decoding, as model.TrimNode and model.TrimPod drop them from a cache.
// A Pod's environment is a list; a label of that name, at the same depth, is not.
var unread = map[string]map[int]string{
	"Node":      {2: `"images"`},
	"Pod":       {3: `"env"`},
	"DaemonSet": {},
}

const managedFields = `"managedFields"`

// squeeze appends the JSON text of an API object to out, without white space and unread fields. Text that is not
// JSON comes out as something that is not JSON either.
func squeeze(out, text []byte, kind string) []byte {
	s := scanner{text: text}
	drop, depth := unread[kind], 0
	for s.at < len(text) {
		switch c := text[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.space()
			// Two values side by side must not become one.
			if n := len(out); n > 0 && s.at < len(text) && isWord(out[n-1]) && isWord(text[s.at]) {
				out = append(out, ' ')
			}
		case '"':
			begin := s.at
			if s.skipString() != nil {
				return append(out, text[begin:]...)
			}
			token := text[begin:s.at]
			named := depth == 2 && string(token) == managedFields || drop[depth] == string(token)
			if named && s.dropList() {
				out = dropComma(out)
				continue
			}
			out = append(out, token...)
		case '{':
			depth++
			out, s.at = append(out, c), s.at+1
		case '}':
			depth--
			out, s.at = append(out, c), s.at+1
		case ',':
			if n := len(out); n > 0 && out[n-1] == '{' && s.dropped {
				s.at++ // the first field of its object was dropped
				s.dropped = false
				continue
			}
			out, s.at = append(out, c), s.at+1
		default:
			out, s.at = append(out, c), s.at+1
		}
	}
	return out
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '"' || c == '.' || c == '-' || c == '+'
}

// dropList skips `: [...]` and returns true, or stays where it is if that is not what follows.
func (s *scanner) dropList() bool {
	at := s.at
	if s.space(); s.take(':') {
		if s.space(); s.at < len(s.text) && s.text[s.at] == '[' {
			if _, err := s.value(); err == nil {
				s.dropped = true
				return true
			}
		}
	}
	s.at = at
	return false
}

// dropComma removes the comma before a dropped field; if there is none, the one after it goes.
func dropComma(out []byte) []byte {
	if n := len(out); n > 0 && out[n-1] == ',' {
		return out[:n-1]
	}
	return out
}
