package main

import (
	"io"
	"strings"
	"unicode/utf8"
)

// widest is how many columns a line of a text for people takes at most, as far as names allow.
const widest = 120

// table aligns rows in columns, two spaces apart, without blanks at the end of a line.
type table struct {
	out  io.Writer
	rows [][]string
	// wraps says that the last cell of a row goes on on the next line where it is too long for one.
	wraps bool
}

func newTable(out io.Writer) *table { return &table{out: out} }

// newText is a table of names and sentences.
func newText(out io.Writer) *table { return &table{out: out, wraps: true} }

// row adds one; a cell holds no tab and no line feed.
func (t *table) row(cells ...string) {
	clean := strings.NewReplacer("\t", " ", "\n", " ")
	own := make([]string, len(cells))
	for i := range cells {
		own[i] = clean.Replace(cells[i])
	}
	t.rows = append(t.rows, own)
}

func (t *table) flush() error {
	widths := t.widths()
	var b strings.Builder
	for _, row := range t.rows {
		line, indent := "", 0
		for i, cell := range row[:len(row)-1] {
			line += padded(cell, widths[i])
			indent += widths[i]
		}
		last := []string{row[len(row)-1]}
		if t.wraps {
			last = wrapped(last[0], max(widest-indent, widest/3))
		}
		b.WriteString(strings.TrimRight(line+last[0], " ") + "\n")
		for _, more := range last[1:] {
			b.WriteString(strings.Repeat(" ", indent) + more + "\n")
		}
	}
	t.rows = nil
	_, err := io.WriteString(t.out, b.String())
	return err
}

// widths are those of the columns, with the gap to the next one. A row's last cell needs no room.
func (t *table) widths() (widths []int) {
	for _, row := range t.rows {
		for i := range len(row) - 1 {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i])+2)
		}
	}
	return widths
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// wrapped cuts a text between its words into lines of so many columns. The lines after the first are set in by two.
func wrapped(text string, width int) []string { return wrappedBy(text, width, "  ") }

// wrappedBy begins the lines after the first with the indent.
func wrappedBy(text string, width int, indent string) (lines []string) {
	line, used := "", 0
	for _, word := range strings.Split(text, " ") {
		long := utf8.RuneCountInString(word)
		if used > 0 && used+1+long > width {
			lines = append(lines, line)
			line, used = indent+word, len(indent)+long
			continue
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+long
	}
	return append(lines, line)
}

// paragraphs fills the lines of each paragraph anew. Lines that are set in stay as they are.
func paragraphs(text string) string {
	var out, open []string
	fill := func() {
		if len(open) > 0 {
			out = append(out, wrappedBy(strings.Join(open, " "), widest, "")...)
		}
		open = nil
	}
	for _, line := range strings.Split(text, "\n") {
		if line != "" && line[0] != ' ' {
			open = append(open, line)
			continue
		}
		fill()
		out = append(out, line)
	}
	fill()
	return strings.Join(out, "\n")
}
