package command

import (
	"io"
	"strings"
	"unicode/utf8"
)

// table aligns rows in columns, two spaces apart, without blanks at the end of a line. The last cell of a row goes on on the next
// line where it is too long for one: that needs the columns' widths, which text/tabwriter does not tell.
type table struct {
	out  io.Writer
	most int // columns of a line
	rows [][]string
}

// newTable is as wide as the output; where it is written to a buffer first, the second argument is the output.
func newTable(out io.Writer, last ...io.Writer) *table {
	columns := columnsOf(out)
	for _, to := range last {
		columns = columnsOf(to)
	}
	return &table{out: out, most: columns}
}

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
		last := wrapped(row[len(row)-1], max(t.most-indent, t.most/3))
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

// fitted wraps the lines of an aligned text that are too long; what goes on begins under the second column, or under the text of
// a line that is set in.
func fitted(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if utf8.RuneCountInString(line) > width {
			head := line[:secondColumn(line)]
			indent := strings.Repeat(" ", utf8.RuneCountInString(head))
			lines[i] = head + strings.Join(wrappedBy(line[len(head):], max(width-len(indent), width/3), ""), "\n"+indent)
		}
	}
	return strings.Join(lines, "\n")
}

// secondColumn is where the second cell of a line begins, or the first one of a line that is set in.
func secondColumn(line string) int {
	set := len(line) - len(strings.TrimLeft(line, " "))
	gap := strings.Index(line[set:], "  ")
	if gap < 0 {
		return set
	}
	return len(line) - len(strings.TrimLeft(line[set+gap:], " "))
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
