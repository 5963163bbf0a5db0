package dump

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// readText reads an input whole: UTF-8, line feeds only, without the byte order mark.
func readText(r io.Reader, limit int64) ([]byte, error) {
	var buffer bytes.Buffer
	buffer.Grow(int(min(sizeHint(r), limit)) + bytes.MinRead)
	n, err := io.Copy(&buffer, io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, fmt.Errorf("is larger than %d bytes: split it, or raise the limit", limit)
	}
	text := buffer.Bytes()
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")), isWide(text):
		return nil, errors.New("is UTF-16 text: save it as UTF-8 (in PowerShell: | Out-File -Encoding utf8)")
	case bytes.IndexByte(text, 0) >= 0:
		return nil, errors.New("is not text: it has NUL bytes")
	case !utf8.Valid(text):
		return nil, errors.New("is not UTF-8 text")
	}
	text = bytes.TrimPrefix(text, byteOrderMark)
	if bytes.Contains(text, []byte("\r\n")) {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return text, nil
}

// isWide tells whether of the first characters every other byte is NUL: Latin text as UTF-16 without a byte order mark.
func isWide(text []byte) bool {
	head := text[:min(len(text)&^1, 64)]
	for first := range 2 {
		wide := len(head) > 0
		for i := range head {
			wide = wide && (head[i] == 0) == (i%2 == first)
		}
		if wide {
			return true
		}
	}
	return false
}

// kubectlMessages are how the lines begin that kubectl prints instead of objects.
var kubectlMessages = []string{"error:", "Error from server", "The connection to the server", "Unable to connect to the server", "No resources found", "Warning:"}

// kubectlMessage returns the first line of the text if it is a message of kubectl, saved in the place of its answer.
func kubectlMessage(text []byte) (message string, ok bool) {
	line, _, _ := strings.Cut(strings.TrimSpace(string(text[:min(len(text), 1000)])), "\n")
	return line, slices.ContainsFunc(kubectlMessages, func(begin string) bool { return strings.HasPrefix(line, begin) })
}

// sizeHint is the size of what is to be read, if the reader tells.
func sizeHint(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Len() int }:
		return int64(r.Len())
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// document is one document of a stream, and the line of the input that it begins on, from 1.
type document struct {
	text []byte
	line int
}

// splitDocuments cuts at the lines that begin with the markers `---` and `...` (YAML 1.2, 9.1: no content
// may begin so). What follows `---` on its line belongs to the document. JSON has no such lines, and
// objects that follow each other without a marker stay together here.
func splitDocuments(text []byte) []document {
	var documents []document
	start, line := 0, 1
	add := func(end int) {
		d := document{text: text[start:end], line: line}
		line += bytes.Count(d.text, []byte("\n"))
		d.trimHead()
		documents = append(documents, d)
		start = end
	}
	for at := 0; at < len(text); {
		if isMarker(text[at:], "---") && at > start {
			add(at)
		}
		if isMarker(text[at:], "...") {
			add(at)
			start += len("...")
		}
		next := nextMarkerLine(text[at:])
		if next < 0 {
			break
		}
		at += next
	}
	add(len(text))
	return documents
}

// nextMarkerLine returns the offset of the next line, after the first, that may begin with a marker; -1 if none.
func nextMarkerLine(text []byte) int {
	for at := 0; ; {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 || at+next+1 >= len(text) {
			return -1
		}
		at += next + 1
		if text[at] == '-' || text[at] == '.' {
			return at
		}
	}
}

func isMarker(text []byte, marker string) bool {
	if !bytes.HasPrefix(text, []byte(marker)) {
		return false
	}
	return len(text) == len(marker) || bytes.IndexByte([]byte(" \t\n"), text[len(marker)]) >= 0
}

// trimHead drops the marker, blank lines and comment lines at the head of the document, so that the
// line number is that of the content.
func (d *document) trimHead() {
	if isMarker(d.text, "---") {
		d.text = d.text[len("---"):]
	}
	d.text = bytes.TrimPrefix(d.text, byteOrderMark)
	for {
		content := bytes.TrimLeft(d.text, " \t")
		end := bytes.IndexByte(content, '\n')
		if end < 0 {
			if len(content) == 0 || content[0] == '#' || content[0] == '%' {
				d.text = nil
			}
			return
		}
		if end != 0 && content[0] != '#' && content[0] != '%' {
			return
		}
		d.text = content[end+1:]
		d.line++
	}
}

func (d *document) empty() bool { return len(d.text) == 0 }

// isJSON tells whether the document is JSON. YAML's flow style looks alike, but its keys are seldom quoted.
func (d *document) isJSON() bool {
	content := bytes.TrimLeft(d.text, " \t\n")
	if len(content) == 0 || content[0] != '{' {
		return false
	}
	content = bytes.TrimLeft(content[1:], " \t\n")
	return len(content) == 0 || content[0] == '"' || content[0] == '}'
}
