package main

import (
	"io"
	"strings"
	"text/tabwriter"
)

// table aligns rows in columns, two spaces apart.
type table struct{ writer *tabwriter.Writer }

func newTable(out io.Writer) *table {
	return &table{tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
}

// row adds one; a cell holds no tab and no line feed.
func (t *table) row(cells ...string) {
	clean := strings.NewReplacer("\t", " ", "\n", " ")
	for i := range cells {
		cells[i] = clean.Replace(cells[i])
	}
	_, _ = t.writer.Write([]byte(strings.Join(cells, "\t") + "\n"))
}

func (t *table) flush() error { return t.writer.Flush() }
