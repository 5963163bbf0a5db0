package dump

import (
	"bytes"
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	sigsyaml "sigs.k8s.io/yaml"
	yaml "sigs.k8s.io/yaml/goyaml.v3"
)

// source is the text that an object was read from. It is read once more to tell on which line a field stands.
type source struct {
	text   []byte
	yaml   bool
	dashed bool     // it is an item of a YAML list, with its dash
	line   int      // of the input that the text begins on
	within []string // the path of the object in it
}

// longestSource bounds what is read again.
const longestSource = 1 << 20

var errNoList = errors.New("is no item of a list")

var segment = regexp.MustCompile(`\[[^\]]*\]|[^.\[\]]+`)

// kept is the source without the rest of the input, or nothing if it is too long to be read again.
func (s source) kept() source {
	if len(s.text) > longestSource {
		s.text = nil
	}
	s.text = bytes.Clone(s.text)
	return s
}

// json converts the text. An item of a YAML list is converted with its dash, a list of one element, so that what would end it
// before its end is the fault that it is in the list.
func (s source) json() ([]byte, error) {
	if !s.yaml {
		return s.text, nil
	}
	if !s.dashed {
		return toJSON(s.text)
	}
	if mayAlias(s.text) {
		return nil, errAlias
	}
	list, err := sigsyaml.YAMLToJSON(s.text)
	if err != nil || len(list) < 3 || list[0] != '[' {
		return nil, cmp.Or(err, errNoList)
	}
	return list[1 : len(list)-1], nil
}

// root returns the object as YAML nodes, which know their lines; nil if they cannot be had. JSON is YAML, but for some escapes.
func (s source) root() *yaml.Node {
	var document yaml.Node
	if len(s.text) == 0 || len(s.text) > longestSource || yaml.Unmarshal(s.text, &document) != nil || len(document.Content) != 1 {
		return nil
	}
	node := document.Content[0]
	within := s.within
	if s.dashed {
		within = []string{"0"}
	}
	for _, name := range within {
		if _, node = child(node, name); node == nil {
			return nil
		}
	}
	return node
}

// child returns the member or the element of the node with that name, and where the name stands.
func child(node *yaml.Node, name string) (key, value *yaml.Node) {
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == name {
				return node.Content[i], node.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(node.Content) {
			return node.Content[i], node.Content[i]
		}
	case yaml.DocumentNode, yaml.ScalarNode, yaml.AliasNode:
	}
	return nil, nil
}

// locate gives each fault the line of its field, or of the innermost object around it that is there, and shows a number as it
// was written where the conversion to JSON has written it anew. It puts the faults in the order of lines.
func (s source) locate(faults []fault) {
	if !slices.ContainsFunc(faults, func(f fault) bool { return f.path != "" }) {
		return
	}
	root := s.root()
	if root == nil {
		return
	}
	defer slices.SortStableFunc(faults, func(a, b fault) int { return a.line - b.line })
	for i := range faults {
		f := &faults[i]
		node := root
		at := root
		for _, name := range segment.FindAllString(f.path, -1) {
			key, value := child(node, strings.Trim(name, "[]"))
			if node = value; value == nil {
				break
			}
			at = key
		}
		if f.line == 0 {
			f.line = s.line + at.Line - 1
		}
		if node != nil && node.Kind == yaml.ScalarNode && f.echo != "" {
			f.text = strings.Replace(f.text, f.echo, shortened(node.Value), 1)
		}
	}
}

// repeated are the keys that are given twice.
func (s source) repeated() (faults []fault) {
	var visit func(node *yaml.Node, path string)
	visit = func(node *yaml.Node, path string) {
		seen := map[string]bool{}
		for i := 0; i < len(node.Content) && len(faults) <= maxFaults; i++ {
			switch node.Kind {
			case yaml.MappingNode:
				key := node.Content[i]
				at := strings.TrimPrefix(path+"."+key.Value, ".")
				if strings.ContainsAny(key.Value, "./") {
					at = path + "[" + key.Value + "]"
				}
				if seen[key.Value] {
					faults = append(faults, fault{path: at, text: "given twice", line: s.line + key.Line - 1})
				}
				seen[key.Value] = true
				i++
				visit(node.Content[i], at)
			case yaml.SequenceNode:
				visit(node.Content[i], path+"["+strconv.Itoa(i)+"]")
			case yaml.DocumentNode, yaml.ScalarNode, yaml.AliasNode:
			}
		}
	}
	if root := s.root(); root != nil {
		visit(root, "")
	}
	return faults
}
