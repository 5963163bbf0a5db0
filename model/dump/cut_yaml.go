package dump

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
	goyaml "sigs.k8s.io/yaml/goyaml.v2"
)

const anchorsText = "uses YAML anchors and aliases, which can expand without bound: write the values out"

var (
	errAlias = errors.New(anchorsText)
	yamlLine = regexp.MustCompile(`\bline (\d+): `)
)

// toJSON converts one YAML document. Of repeated keys the last one stays. The library reads the first value of a text, and
// does not say what follows it.
func toJSON(text []byte) ([]byte, error) {
	if mayAlias(text) {
		return nil, errAlias
	}
	converted, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	values := goyaml.NewDecoder(bytes.NewReader(text))
	if err := values.Decode(&unread{}); err == nil {
		if err = values.Decode(&unread{}); err != io.EOF {
			return nil, cmp.Or(err, errTwoValues)
		}
	}
	return converted, nil
}

var errTwoValues = errors.New("has a second value after its end")

// unread is a YAML value that is parsed only.
type unread struct{}

func (*unread) UnmarshalYAML(func(any) error) error { return nil }

// yamlFault says what is wrong with a YAML document in one line, with the line of the document apart.
func yamlFault(text []byte, err error) *syntaxError {
	fault := &syntaxError{at: -1, text: oneLine(err)}
	if strings.Contains(fault.text, "unexpected end of stream") {
		fault.text += ": was the dump cut short?"
	}
	found := yamlLine.FindStringSubmatchIndex(fault.text)
	if found == nil {
		return fault
	}
	fault.line, _ = strconv.Atoi(fault.text[found[2]:found[3]])
	fault.text = fault.text[:found[0]] + fault.text[found[1]:]
	if line := lineNumber(text, fault.line); bytes.HasPrefix(bytes.TrimLeft(line, " -"), []byte("\t")) {
		fault.text = "yaml: is indented with a tab: YAML takes spaces only"
	}
	return fault
}

func lineNumber(text []byte, number int) []byte {
	for range number - 1 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// oneLine shortens what the YAML library says, which has a line for every repeated key.
func oneLine(err error) string {
	const longest = 1000
	text := err.Error()
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + " and more"
	}
	return strings.Join(strings.Fields(text), " ")
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

// cutList cuts a document at the items of its field items, if each begins with a dash at one column and items stands at the left
// margin. The header is all the rest. It looks at indentation only: what is cut wrongly does not parse, and the document is then
// read whole.
func cutList(text []byte) (header []byte, items []item, ok bool) {
	if slices.ContainsFunc(otherBreaks, func(s string) bool { return bytes.Contains(text, []byte(s)) }) {
		return nil, nil, false
	}
	key, found := 0, bytes.HasPrefix(text, []byte("items:"))
	if !found {
		key = bytes.Index(text, []byte("\nitems:")) + 1
	}
	line, _, _ := bytes.Cut(text[key:], []byte("\n"))
	if !found && key == 0 || len(bytes.TrimSpace(line)) > len("items:") {
		return nil, nil, false
	}
	begin, column, end := -1, -1, len(text)
	for at := key + len(line) + 1; at < len(text) && end == len(text); {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		content := bytes.TrimLeft(line, " ")
		indent := len(line) - len(content)
		switch dash := len(content) > 0 && content[0] == '-' && (len(content) == 1 || content[1] == ' '); {
		case len(bytes.TrimSpace(content)) == 0 || content[0] == '#':
		case dash && (column < 0 || indent == column):
			if begin >= 0 {
				items = append(items, item{source: source{text: text[begin:at], yaml: true, dashed: true}, at: begin})
			}
			begin, column = at, indent
		case begin < 0:
			return nil, nil, false
		case indent <= column && indent > 0:
			return nil, nil, false
		case indent == 0:
			end = at
		}
		at += len(line) + 1
	}
	if begin < 0 {
		return nil, nil, false
	}
	items = append(items, item{source: source{text: text[begin:end], yaml: true, dashed: true}, at: begin})
	return bytes.Join([][]byte{text[:key], text[end:]}, nil), items, true
}

// otherBreaks are what YAML 1.1 takes for the end of a line, besides the line feed.
var otherBreaks = []string{"\r", "\u0085", "\u2028", "\u2029"}

// repeatedKeys are the faults of keys that the YAML text has twice.
func repeatedKeys(s source) (faults []fault) {
	if !s.yaml {
		return nil
	}
	_, err := yaml.YAMLToJSONStrict(s.text)
	if err == nil {
		return nil
	}
	if faults = s.repeated(); len(faults) == 0 && s.within == nil {
		faults = []fault{{text: fmt.Sprintf("repeats a key: %s", oneLine(err))}}
	}
	return faults
}
