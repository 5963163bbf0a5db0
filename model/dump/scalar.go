package dump

import (
	"bytes"
	"encoding/json"
	"strings"
)

// splitKey splits `key:` or `key: value` and returns the key's text and the size of all before the value. Keys
// that are not surely strings are refused.
func splitKey(content []byte) (key []byte, size int, ok bool) {
	if content[0] == '"' || content[0] == '\'' {
		key, size, ok = quoted(content)
		if !ok || size >= len(content) || content[size] != ':' {
			return nil, 0, false
		}
		size++
		return key, size, size == len(content) || content[size] == ' '
	}
	size = bytes.Index(content, []byte(": "))
	if size < 0 {
		if content[len(content)-1] != ':' {
			return nil, 0, false
		}
		size = len(content) - 1
	}
	key = content[:size]
	return key, size + 1, size > 0 && plainKind(key) == plainString
}

// quoted reads a quoted scalar that ends on its line and returns its value and its size with the quotes.
func quoted(content []byte) (value []byte, size int, ok bool) {
	if content[0] == '\'' {
		return singleQuoted(content)
	}
	for i := 1; i < len(content); i++ {
		switch c := content[i]; {
		case c == '"':
			value = content[1:i]
			if bytes.IndexByte(value, '\\') < 0 {
				return value, i + 1, true
			}
			var text string
			err := json.Unmarshal(content[:i+1], &text)
			return []byte(text), i + 1, err == nil
		case c == '\\':
			// The escapes that YAML and JSON share; \u stays with the library for the sake of surrogates.
			if i++; i == len(content) || strings.IndexByte(`"\/bfnrt`, content[i]) < 0 {
				return nil, 0, false
			}
		case c < ' ':
			return nil, 0, false
		}
	}
	return nil, 0, false
}

func singleQuoted(content []byte) (value []byte, size int, ok bool) {
	for i := 1; i < len(content); i++ {
		if content[i] != '\'' {
			continue
		}
		if i+1 < len(content) && content[i+1] == '\'' {
			i++
			continue
		}
		return bytes.ReplaceAll(content[1:i], []byte("''"), []byte("'")), i + 1, true
	}
	return nil, 0, false
}

type plainClass int

const (
	plainUnsure plainClass = iota
	plainString
	plainLiteral // null, true, false and decimal integers: the same text in JSON
)

// plain parses the current line as a plain scalar.
func (p *blockParser) plain() bool {
	switch plainKind(p.content) {
	case plainString:
		p.out = appendString(p.out, p.content)
		return true
	case plainLiteral:
		p.out = append(p.out, p.content...)
		return true
	case plainUnsure:
		return false
	}
	return false
}

// plainKind resolves a plain scalar by the rules of the YAML library, or leaves it to it.
func plainKind(s []byte) plainClass {
	if bytes.Contains(s, []byte(" #")) || bytes.Contains(s, []byte(": ")) || s[len(s)-1] == ':' || s[len(s)-1] == ' ' || bytes.IndexByte(s, '\t') >= 0 {
		return plainUnsure
	}
	switch c := s[0]; {
	case c >= '0' && c <= '9', c == '-':
		return numberKind(s)
	case c == '/', c == '_':
		return plainString
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return wordKind(s)
	}
	return plainUnsure
}

func wordKind(s []byte) plainClass {
	const longest = len("false")
	if len(s) > longest {
		return plainString
	}
	switch string(s) {
	case "null", "true", "false":
		return plainLiteral
	}
	switch strings.ToLower(string(s)) {
	case "null", "true", "false", "y", "n", "yes", "no", "on", "off":
		return plainUnsure
	}
	return plainString
}

// numberKind takes decimal integers that fit 18 digits, and strings that cannot be a number or a time in any
// notation: they have two dots, or a letter that none of these uses there.
func numberKind(s []byte) plainClass {
	digits := bytes.TrimPrefix(s, []byte("-"))
	if len(digits) == 0 || digits[0] < '0' || digits[0] > '9' {
		return plainUnsure
	}
	decimal := true
	for _, c := range digits {
		decimal = decimal && c >= '0' && c <= '9'
	}
	switch {
	case decimal && len(digits) <= 18 && (digits[0] != '0' || len(s) == 1):
		return plainLiteral
	case decimal:
		return plainUnsure
	case bytes.Count(s, []byte(".")) > 1, bytes.ContainsAny(s, "ghijklmnpqrsuvwyGHIJKLMNPQRSUVWY"):
		return plainString
	case digits[0] != '0' && bytes.ContainsAny(s, "abcdfoxABCDFOX"):
		return plainString // a revision hash; prefixes such as 0x begin with 0
	}
	return plainUnsure
}

// appendString appends a JSON string.
func appendString(out, value []byte) []byte {
	for _, c := range value {
		if c < ' ' || c == '"' || c == '\\' || c == 0x7f {
			return appendEscaped(out, value)
		}
	}
	out = append(out, '"')
	out = append(out, value...)
	return append(out, '"')
}

const hexDigits = "0123456789abcdef"

func appendEscaped(out, value []byte) []byte {
	out = append(out, '"')
	for _, c := range value {
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c < ' ' || c == 0x7f:
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}
