package dump

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// item is one object of a document, not decoded yet.
type item struct {
	source    source
	at        int      // its offset in the document
	converted []byte   // its JSON, if it was converted with the whole document
	implied   typeMeta // what it is if it does not say
	place     place
}

type typeMeta struct{ apiVersion, kind string }

// outline is one JSON object of a stream, cut but for the most part not looked into.
type outline struct {
	typeMeta
	text    []byte
	at      int
	items   []item // the elements of a field items that is a list; nil if there is none
	guessed bool   // whether each item is a whole value is not known yet
}

// cutter cuts a stream of JSON objects at its objects and at their items.
type cutter struct {
	text    []byte
	guess   bool
	decoder *json.Decoder
	base    int // where in the text the decoder's offset 0 is
	raw     json.RawMessage
}

// cutObjects cuts the text at its objects. Those before a fault are returned with it. Where guess is set, items that look as
// kubectl prints them are found by their brackets alone: they are the items if each is valid JSON.
func cutObjects(text []byte, guess bool) ([]outline, error) {
	c := cutter{text: text, guess: guess, decoder: json.NewDecoder(bytes.NewReader(text))}
	var outlines []outline
	for {
		begin := c.offset()
		o, err := c.object()
		switch {
		case errors.Is(err, io.EOF) && o.text == nil:
			return outlines, nil
		case err != nil:
			return outlines, syntaxFault(text, begin, err)
		}
		outlines = append(outlines, o)
	}
}

func (c *cutter) offset() int { return c.base + int(c.decoder.InputOffset()) }

// object reads one object; io.EOF and no text means that there is none.
func (c *cutter) object() (o outline, err error) {
	token, err := c.decoder.Token()
	if err != nil {
		return o, err
	}
	o.at = c.offset() - 1
	o.text = c.text[o.at:c.offset()]
	if token != json.Delim('{') {
		return o, errors.New("is no object")
	}
	for c.decoder.More() {
		if err := c.member(&o); err != nil {
			return o, err
		}
	}
	if _, err := c.decoder.Token(); err != nil {
		return o, err
	}
	o.text = c.text[o.at:c.offset()]
	return o, nil
}

func (c *cutter) member(o *outline) error {
	name, err := c.decoder.Token()
	if err != nil {
		return err
	}
	switch name {
	case "items":
		if o.items != nil {
			return errors.New("has items twice")
		}
		return c.elements(o)
	case "apiVersion":
		o.apiVersion, err = c.plain()
	case "kind":
		o.kind, err = c.plain()
	default:
		_, err = c.value()
	}
	return err
}

// value reads one value and returns its text.
func (c *cutter) value() ([]byte, error) {
	if err := c.decoder.Decode(&c.raw); err != nil {
		return nil, err
	}
	end := c.offset()
	return c.text[end-len(c.raw) : end], nil
}

// plain reads a value and returns the text of a string; another value stays as it is written.
func (c *cutter) plain() (string, error) {
	value, err := c.value()
	return plainText(value), err
}

func plainText(value []byte) (text string) {
	if json.Unmarshal(value, &text) != nil || text == "" {
		return strings.Trim(string(value), `"`)
	}
	return text
}

// elements reads the value of items.
func (c *cutter) elements(o *outline) error {
	rest, colon := bytes.CutPrefix(bytes.TrimLeft(c.text[c.offset():], space), []byte(":"))
	rest = bytes.TrimLeft(rest, space)
	if !colon || len(rest) == 0 || rest[0] != '[' {
		_, err := c.value()
		return err
	}
	begin := len(c.text) - len(rest)
	if items, size := printedItems(rest, begin); c.guess && items != nil {
		o.items, o.guessed = items, true
		if err := c.resume(begin + size); err != nil {
			return err
		}
	} else {
		o.items = []item{}
		if _, err := c.decoder.Token(); err != nil {
			return err
		}
		for c.decoder.More() {
			value, err := c.value()
			if err != nil {
				return err
			}
			o.items = append(o.items, item{source: source{text: value}, at: c.offset() - len(value)})
		}
	}
	_, err := c.decoder.Token()
	return err
}

const space = " \t\r\n"

// resume goes on with what follows the items, as if there were none.
func (c *cutter) resume(at int) error {
	const head = `{"items":[`
	c.decoder = json.NewDecoder(io.MultiReader(strings.NewReader(head), bytes.NewReader(c.text[at:])))
	c.base = at - len(head)
	for range 3 {
		if _, err := c.decoder.Token(); err != nil {
			return err
		}
	}
	return nil
}

// printedItems finds the elements of the list that the text begins with, objects that have their brackets on lines of their own
// at one column, as kubectl prints them, and what they take up with the list's bracket. A line that begins so is in no string.
func printedItems(text []byte, at int) (items []item, size int) {
	open := bytes.IndexByte(text, '{')
	if open < 2 || text[1] != '\n' || len(bytes.Trim(text[2:open], " ")) > 0 {
		return nil, 0
	}
	closing := append(bytes.Clone(text[1:open]), '}') // a line feed, the indentation, the bracket
	next := append([]byte(","), text[1:open+1]...)
	for begin := open; ; {
		size := bytes.Index(text[begin:], closing)
		if size < 0 {
			return nil, 0
		}
		end := begin + size + len(closing)
		items = append(items, item{source: source{text: text[begin:end]}, at: at + begin})
		if !bytes.HasPrefix(text[end:], next) {
			if !bytes.HasPrefix(bytes.TrimLeft(text[end:], space), []byte("]")) {
				return nil, 0
			}
			return items, end
		}
		begin = end + len(next) - 1
	}
}

// syntaxError is a fault of a document as JSON or YAML, at an offset of it, or at a line if the offset is negative.
type syntaxError struct {
	at, line int
	text     string
}

func (e *syntaxError) Error() string { return e.text }

// syntaxFault finds where the object that begins at the offset is not JSON. Where the text ends within it, it was cut short.
func syntaxFault(text []byte, begin int, err error) *syntaxError {
	var syntax *json.SyntaxError
	var any json.RawMessage
	whole := json.Unmarshal(text[begin:], &any)
	if !errors.As(whole, &syntax) || strings.Contains(syntax.Error(), "after top-level value") {
		return &syntaxError{at: begin, text: err.Error()}
	}
	at := min(begin+int(syntax.Offset), len(text))
	if at > len(bytes.TrimRight(text, space)) || strings.Contains(syntax.Error(), "unexpected end") {
		return &syntaxError{at: len(text), text: "is not valid JSON: it ends in the middle of an object: was the dump cut short?"}
	}
	return &syntaxError{at: max(at-1, 0), text: fmt.Sprintf("is not valid JSON: %v", syntax)}
}
