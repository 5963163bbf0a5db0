package dump

import (
	"fmt"
	"slices"
	"strings"
)

// place is where something stands in the inputs.
type place struct {
	input          string
	document, line int    // from 1; the line is that of the input
	part           string // of the document: "items[3]", "object 2"
}

func (p place) String() string {
	text := fmt.Sprintf("%s: document %d (line %d)", p.input, p.document, p.line)
	if p.part != "" {
		text += ": " + p.part
	}
	return text
}

// onLine is the place on a line of it that is known better; 0 means that it is not.
func (p place) onLine(line int) place {
	if line > 0 {
		p.line = line
	}
	return p
}

// fault is what is wrong with an object, the path of the field if it is of one, and the line of the input if it is known.
type fault struct {
	of         string // the object: kind, namespace and name
	path, text string
	line       int
	echo       string // the number in the text, as JSON has it
}

func (f fault) String() string {
	parts := slices.DeleteFunc([]string{f.of, f.path, f.text}, func(part string) bool { return part == "" })
	return strings.Join(parts, ": ")
}
