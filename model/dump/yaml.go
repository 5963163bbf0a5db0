package dump

import (
	"bytes"
	"errors"
	"strings"

	"sigs.k8s.io/yaml"
)

var errAlias = errors.New("uses YAML anchors and aliases, which can expand without bound: write the values out")

// toJSON converts one YAML document. The plain block style that kubectl prints goes through blockToJSON, which is
// several times as fast; everything else goes through the YAML library, with the same result. Repeated keys are
// kept, or, where the library drops them, named in repeated.
func toJSON(text []byte) (converted []byte, repeated, err error) {
	if converted, ok := blockToJSON(text); ok {
		return converted, nil, nil
	}
	if mayAlias(text) {
		return nil, nil, errAlias
	}
	converted, repeated = yaml.YAMLToJSONStrict(text)
	if repeated == nil {
		return converted, nil, nil
	}
	if converted, err = yaml.YAMLToJSON(text); err != nil {
		return nil, nil, oneLine(err)
	}
	return converted, oneLine(repeated), nil
}

// oneLine shortens what the YAML library says, which has a line for every repeated key.
func oneLine(err error) error {
	const longest = 1000
	text := err.Error()
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + " and more"
	}
	return errors.New(strings.Join(strings.Fields(text), " "))
}

// mayAlias tells whether the text may have an anchor and an alias: both signs where a value may begin. It errs
// only to the side of refusing, as for a folded shell script that has both signs.
func mayAlias(text []byte) bool { return signed(text, '&') && signed(text, '*') }

func signed(text []byte, sign byte) bool {
	for at := 0; ; {
		next := bytes.IndexByte(text[at:], sign)
		if next < 0 {
			return false
		}
		at += next
		before := at == 0 || strings.IndexByte(" \t\n[{,:-?!", text[at-1]) >= 0
		at++
		if before && at < len(text) && strings.IndexByte(" \t\n", text[at]) < 0 {
			return true
		}
	}
}

// yamlList is a List document cut into its items. Each item keeps its indentation, with its dash blanked.
type yamlList struct {
	header []byte
	items  [][]byte
}

// cutList cuts a block-style document at the items of its top-level field items. It looks at indentation only: a
// quoted string that is continued further left makes items that do not parse, and the caller then reads the
// document whole.
func cutList(text []byte) (yamlList, bool) {
	var list yamlList
	at := fieldItems(text)
	if at < 0 {
		return list, false
	}
	list.header = append(list.header, text[:at]...)
	at += lineEnd(text[at:])
	begin, indent := -1, -1
	for at < len(text) {
		end := at + lineEnd(text[at:])
		depth, content := indentation(text[at:end])
		switch {
		case len(content) == 0 || content[0] == '#':
		case isDash(content) && (indent < 0 || depth == indent):
			if begin >= 0 {
				list.items = append(list.items, blankDash(text[begin:at], indent))
			}
			begin, indent = at, depth
		case depth <= max(indent, 0):
			// The end of items. A first line that is not a dash means that items is no block sequence.
			if begin < 0 || depth > 0 {
				return list, false
			}
			list.items = append(list.items, blankDash(text[begin:at], indent))
			list.header = append(list.header, text[at:]...)
			return list, fieldItems(text[at:]) < 0
		case begin < 0:
			return list, false
		}
		at = end
	}
	if begin < 0 {
		return list, false
	}
	list.items = append(list.items, blankDash(text[begin:], indent))
	return list, true
}

// fieldItems returns the offset of the line `items:` at the left margin, or -1.
func fieldItems(text []byte) int {
	const key = "items:"
	for at := 0; at < len(text); at += lineEnd(text[at:]) {
		if bytes.HasPrefix(text[at:], []byte(key)) && len(bytes.Trim(text[at+len(key):at+lineEnd(text[at:])], " \t\n")) == 0 {
			return at
		}
	}
	return -1
}

func lineEnd(text []byte) int {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return end + 1
	}
	return len(text)
}

func indentation(line []byte) (int, []byte) {
	content := bytes.TrimLeft(line, " ")
	return len(line) - len(content), bytes.TrimRight(content, " \t\n")
}

func isDash(content []byte) bool {
	return content[0] == '-' && (len(content) == 1 || content[1] == ' ')
}

func blankDash(item []byte, indent int) []byte {
	item = bytes.Clone(item)
	item[indent] = ' '
	return item
}
