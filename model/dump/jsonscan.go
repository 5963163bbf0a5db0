package dump

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

var errNotJSON = errors.New("is not a JSON object")

// outline is one JSON object with the extents of what decides how it is decoded. The values themselves are
// not checked here: the decoder does that.
type outline struct {
	text             []byte
	apiVersion, kind string
	items            [][]byte // the elements of a field items that is an array
	guessed          bool     // the extents of the items are a guess
	repeated         error    // keys that YAML repeats and JSON lost
}

// scanOutline returns the outline of the object that the text begins with, and what follows it.
func scanOutline(text []byte) (o outline, rest []byte, err error) {
	s := scanner{text: text}
	return s.outline()
}

// guessOutline is scanOutline that need not look into items that kubectl printed.
func guessOutline(text []byte) (o outline, rest []byte, err error) {
	s := scanner{text: text, guess: true}
	return s.outline()
}

func (s *scanner) outline() (o outline, rest []byte, err error) {
	s.space()
	begin := s.at
	if !s.take('{') {
		return o, nil, errNotJSON
	}
	for first := true; ; first = false {
		s.space()
		if s.take('}') {
			break
		}
		if !first && (!s.take(',') || s.peekAfterSpace() == '}') {
			return o, nil, s.fault("expected , or }")
		}
		if err := s.field(&o); err != nil {
			return o, nil, err
		}
	}
	o.text = s.text[begin:s.at]
	return o, s.text[s.at:], nil
}

// itemOutline is scanOutline for a text that is one whole value. Of an object that is read it stops at the type,
// which kubectl prints first: the decoder looks at the rest anyway.
func itemOutline(text []byte) (outline, bool) {
	s := scanner{text: text}
	o := outline{text: text}
	for before := byte('{'); s.take(before); before = ',' {
		if s.field(&o) != nil || o.items != nil {
			break
		}
		if o.isRead() {
			return o, true
		}
		s.space()
	}
	o, rest, err := scanOutline(text)
	return o, err == nil && len(rest) == 0
}

// isRead tells whether objects of this type are decoded.
func (o *outline) isRead() bool {
	switch (typeMeta{o.apiVersion, o.kind}) {
	case typeMeta{"v1", "Node"}, typeMeta{"v1", "Pod"}, typeMeta{"apps/v1", "DaemonSet"}:
		return true
	}
	return false
}

// scanner finds the extents of JSON values by their brackets and quotes.
type scanner struct {
	text    []byte
	at      int
	dropped bool   // squeeze has dropped a field
	guess   bool   // outline may guess
	recent  *words // for readers
	depth   int    // of the objects that plainObject is in
}

const eightSpaces = 0x2020202020202020

func (s *scanner) fault(what string) error {
	return fmt.Errorf("at byte %d: %s", s.at, what)
}

// space skips white space, eight columns of an indentation at a time.
func (s *scanner) space() {
	for s.at < len(s.text) {
		if len(s.text)-s.at >= 8 && binary.LittleEndian.Uint64(s.text[s.at:]) == eightSpaces {
			s.at += 8
			continue
		}
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

func (s *scanner) take(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) peekAfterSpace() byte {
	s.space()
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// field scans one `"key": value` of the object.
func (s *scanner) field(o *outline) error {
	s.space()
	key, err := s.stringValue()
	if err != nil {
		return err
	}
	s.space()
	if !s.take(':') {
		return s.fault("expected :")
	}
	s.space()
	if key == `"items"` && s.at < len(s.text) && s.text[s.at] == '[' {
		if o.guessed {
			return s.fault("items again: the first ones are not looked into")
		}
		if s.guess {
			o.items, o.guessed = s.printedElements()
		}
		if o.guessed {
			return nil
		}
		o.items, err = s.elements()
		return err
	}
	value, err := s.value()
	if err != nil {
		return err
	}
	switch key {
	case `"apiVersion"`:
		o.apiVersion = unquoted(value)
	case `"kind"`:
		o.kind = unquoted(value)
	}
	return nil
}

// unquoted returns the text of a plain JSON string; other values stay as they are written, for the fault.
func unquoted(value []byte) string {
	if len(value) >= 2 && value[0] == '"' {
		return string(value[1 : len(value)-1])
	}
	return string(value)
}

func (s *scanner) elements() ([][]byte, error) {
	elements := [][]byte{}
	s.at++
	for {
		s.space()
		if s.take(']') {
			return elements, nil
		}
		if len(elements) > 0 {
			if !s.take(',') {
				return nil, s.fault("expected , or ]")
			}
			s.space()
		}
		value, err := s.value()
		if err != nil {
			return nil, err
		}
		elements = append(elements, value)
	}
}

// printedElements finds objects as kubectl prints them, each with its brackets on lines of their own at one column. Nothing
// else is looked at, so that the extents are a guess.
func (s *scanner) printedElements() ([][]byte, bool) {
	text := s.text[s.at+1:]
	open := bytes.IndexByte(text, '{')
	if open < 1 || text[0] != '\n' || len(bytes.Trim(text[1:open], " ")) > 0 {
		return nil, false
	}
	closing := append(bytes.Clone(text[:open]), '}') // a line feed, the indentation, the bracket
	next := append([]byte(","), text[:open+1]...)
	var elements [][]byte
	for begin := open; ; {
		size := bytes.Index(text[begin:], closing)
		if size < 0 {
			return nil, false
		}
		end := begin + size + len(closing)
		elements = append(elements, text[begin:end])
		if !bytes.HasPrefix(text[end:], next) {
			list := scanner{text: text, at: end}
			ok := list.peekAfterSpace() == ']'
			if ok {
				s.at += 1 + list.at + 1
			}
			return elements, ok
		}
		begin = end + len(next) - 1
	}
}

func (s *scanner) stringValue() (string, error) {
	begin := s.at
	if !s.take('"') {
		return "", s.fault("expected a string")
	}
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			s.at++
			return string(s.text[begin:s.at]), nil
		case '\\':
			s.at += 2
		default:
			s.at++
		}
	}
	return "", s.fault("the string does not end")
}

// What value looks at; it runs over the rest of a text of many megabytes.
const (
	other = iota
	quote
	opens
	closes
	ends // a scalar
)

var classes = func() (table [256]byte) {
	for _, c := range "," + " \t\n\r" {
		table[c] = ends
	}
	table['"'], table['{'], table['['], table['}'], table[']'] = quote, opens, opens, closes, closes
	return table
}()

// value scans one value of any kind and returns its extent.
func (s *scanner) value() ([]byte, error) {
	begin, depth := s.at, 0
	for at := s.at; at < len(s.text); at++ {
		switch classes[s.text[at]] {
		case other:
			continue
		case quote:
			s.at = at
			if err := s.skipString(); err != nil {
				return nil, err
			}
			if depth == 0 {
				return s.text[begin:s.at], nil
			}
			at = s.at - 1
		case opens:
			depth++
		case closes:
			if depth == 0 {
				s.at = at
				return s.scalar(begin)
			}
			if depth--; depth == 0 {
				s.at = at + 1
				return s.text[begin:s.at], nil
			}
		case ends:
			if depth == 0 {
				s.at = at
				return s.scalar(begin)
			}
			for len(s.text)-at > 8 && binary.LittleEndian.Uint64(s.text[at+1:]) == eightSpaces {
				at += 8
			}
		}
	}
	s.at = len(s.text)
	return nil, s.fault("the text ends within a value")
}

func (s *scanner) scalar(begin int) ([]byte, error) {
	if begin == s.at {
		return nil, s.fault("expected a value")
	}
	return s.text[begin:s.at], nil
}

func (s *scanner) skipString() error {
	for i := s.at + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '"':
			s.at = i + 1
			return nil
		case '\\':
			i++
		}
	}
	return s.fault("the string does not end")
}

// plainString scans a string without escapes and returns its text.
func (s *scanner) plainString() (text []byte, ok bool) {
	if !s.take('"') {
		return nil, false
	}
	for begin := s.at; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			text = s.text[begin:s.at]
			s.at++
			return text, true
		case c == '\\' || c < ' ':
			return nil, false
		}
	}
	return nil, false
}

// plainObject calls read before the value of each member, with its name. It returns false at what is not JSON and at
// names with escapes.
func (s *scanner) plainObject(read func(name []byte) bool) bool {
	if !s.take('{') {
		return false
	}
	if s.peekAfterSpace() == '}' {
		return s.take('}')
	}
	s.depth++
	for more := true; more; more = s.take(',') {
		s.space()
		name, ok := s.plainString()
		if s.space(); !ok || !s.take(':') {
			return false
		}
		if s.space(); !read(name) {
			return false
		}
		s.space()
	}
	s.depth--
	return s.take('}')
}

// plainList calls read before each element.
func (s *scanner) plainList(read func() bool) bool {
	if !s.take('[') {
		return false
	}
	if s.peekAfterSpace() == ']' {
		return s.take(']')
	}
	for more := true; more; more = s.take(',') {
		if s.space(); !read() {
			return false
		}
		s.space()
	}
	return s.take(']')
}

func (s *scanner) literal(word string) bool {
	if len(s.text)-s.at < len(word) || string(s.text[s.at:s.at+len(word)]) != word {
		return false
	}
	s.at += len(word)
	return true
}
