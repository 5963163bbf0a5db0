package dump

import (
	"bytes"
	"unicode/utf8"
)

// maxBlockDepth bounds the recursion of the block parser; deeper text goes to the YAML library.
const maxBlockDepth = 100

// blockToJSON converts YAML in the block style that kubectl prints: block mappings and sequences, scalars on one
// line, literal block scalars, empty flow collections. At anything else, faults included, it gives up and
// returns false; what it does return is what the YAML library makes of the text. Repeated keys are kept.
func blockToJSON(text []byte) ([]byte, bool) {
	if !printable(text) {
		return nil, false
	}
	p := blockParser{text: text, out: make([]byte, 0, len(text)+len(text)/4)}
	if !p.advance() || p.content == nil || !p.node(p.indent) || p.content != nil {
		return nil, false
	}
	return p.out, true
}

// printable tells whether the text has only characters that YAML allows unescaped and none that YAML 1.1 takes
// for a line break, the line feed aside.
func printable(text []byte) bool {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if (c < ' ' && c != '\n' && c != '\t') || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff', r >= '\ufffd' && r <= '\uffff':
			return false
		}
		i += size
	}
	return true
}

// blockParser stands before one line of content, of which a dash or a key may have been consumed already.
type blockParser struct {
	text    []byte
	next    int    // offset of the line after the current one
	indent  int    // column of content
	content []byte // the rest of the current line, without spaces around it; nil at the end
	out     []byte
	depth   int
}

// advance goes to the next line that is not blank and not a comment. It returns false at tabs in the indentation.
func (p *blockParser) advance() bool {
	for p.next < len(p.text) {
		line := p.text[p.next : p.next+lineEnd(p.text[p.next:])]
		p.next += len(line)
		p.indent, p.content = indentation(line)
		if len(p.content) == 0 || p.content[0] == '#' {
			continue
		}
		return p.content[0] != '\t' && !(p.indent == 0 && isDocumentMarker(p.content))
	}
	p.content = nil
	return true
}

func isDocumentMarker(content []byte) bool {
	return isMarker(content, "---") || isMarker(content, "...")
}

// within moves the current line's start to what follows n bytes of it.
func (p *blockParser) within(n int) {
	rest := bytes.TrimLeft(p.content[n:], " ")
	p.indent += len(p.content) - len(rest)
	p.content = rest
}

func (p *blockParser) node(indent int) bool {
	if p.depth++; p.depth > maxBlockDepth {
		return false
	}
	defer func() { p.depth-- }()
	if isDash(p.content) {
		return p.sequence(indent)
	}
	return p.mapping(indent)
}

func (p *blockParser) sequence(indent int) bool {
	p.out = append(p.out, '[')
	for first := true; p.content != nil && p.indent == indent && isDash(p.content); first = false {
		if !first {
			p.out = append(p.out, ',')
		}
		if !p.element(indent) {
			return false
		}
	}
	p.out = append(p.out, ']')
	return p.content == nil || p.indent <= indent
}

func (p *blockParser) element(indent int) bool {
	if len(p.content) == 1 {
		return p.advance() && p.below(indent, false)
	}
	p.within(1)
	if p.content[0] == '#' || p.content[0] == '\t' {
		return false
	}
	if isDash(p.content) {
		return p.node(p.indent)
	}
	if _, _, ok := splitKey(p.content); ok {
		return p.node(p.indent)
	}
	return p.scalar(indent)
}

func (p *blockParser) mapping(indent int) bool {
	p.out = append(p.out, '{')
	for first := true; p.content != nil && p.indent == indent; first = false {
		if isDash(p.content) {
			return false
		}
		key, size, ok := splitKey(p.content)
		if !ok {
			return false
		}
		if !first {
			p.out = append(p.out, ',')
		}
		p.out = appendString(p.out, key)
		p.out = append(p.out, ':')
		if size == len(p.content) {
			if !p.advance() || !p.below(indent, true) {
				return false
			}
			continue
		}
		p.within(size)
		if !p.scalar(indent) {
			return false
		}
	}
	p.out = append(p.out, '}')
	return p.content == nil || p.indent <= indent
}

// below parses the value that begins on the line after its key or dash; there may be none, which is null.
// The elements of a mapping's sequence may stand at the mapping's own column.
func (p *blockParser) below(indent int, inMapping bool) bool {
	switch {
	case p.content != nil && p.indent > indent:
		return p.node(p.indent)
	case p.content != nil && inMapping && p.indent == indent && isDash(p.content):
		return p.node(indent)
	}
	p.out = append(p.out, "null"...)
	return true
}

// scalar parses the rest of the current line as a value whose parent stands at the column, and goes on to the
// next line. A value that is continued below is left to the YAML library.
func (p *blockParser) scalar(parent int) bool {
	switch p.content[0] {
	case '|':
		return p.literal(parent)
	case '\'', '"':
		value, size, ok := quoted(p.content)
		if !ok || size != len(p.content) {
			return false
		}
		p.out = appendString(p.out, value)
	case '{', '[':
		if s := string(p.content); s != "{}" && s != "[]" {
			return false
		}
		p.out = append(p.out, p.content...)
	default:
		if !p.plain() {
			return false
		}
	}
	return p.advance() && (p.content == nil || p.indent <= parent)
}

// literal parses a literal block scalar (YAML 1.2, 8.1) without an indentation indicator.
func (p *blockParser) literal(parent int) bool {
	chomp := byte(0)
	switch string(p.content) {
	case "|":
	case "|-", "|+":
		chomp = p.content[1]
	default:
		return false
	}
	var value []byte
	indent, kept := -1, 0 // kept is the length up to the last line that is not blank
	for p.next < len(p.text) {
		line := p.text[p.next : p.next+lineEnd(p.text[p.next:])]
		body := bytes.TrimSuffix(line, []byte("\n"))
		spaces := len(body) - len(bytes.TrimLeft(body, " "))
		blank := spaces == len(body)
		switch {
		case blank && indent < 0 && spaces > 0, indent < 0 && !blank && body[spaces] == '\t':
			return false
		case !blank && indent < 0 && spaces > parent:
			indent = spaces
		}
		if !blank && (indent < 0 || spaces < indent) {
			break
		}
		if indent >= 0 && len(body) > indent {
			value = append(value, body[indent:]...)
		}
		value = append(value, '\n')
		if !blank || spaces > indent {
			kept = len(value)
		}
		p.next += len(line)
		if len(line) == len(body) {
			return false // the text ends without a line feed
		}
	}
	if indent < 0 {
		return false
	}
	switch chomp {
	case '-':
		value = value[:kept-1]
	case 0:
		value = value[:kept]
	}
	p.out = appendString(p.out, value)
	return p.advance() && (p.content == nil || p.indent <= parent)
}
