package reports

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"metalconform/internal/printable"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// CSV writes a row per case below the names of the columns, with a column for each
// metric: the worst of the case's outputs. An infinite value is +Inf; what a case
// lacks is empty.
func CSV(w io.Writer, v View) error {
	table := v.Metrics.Or()
	var keys []string
	for _, m := range table {
		keys = append(keys, m.Key)
	}
	rows := csv.NewWriter(w)
	head := []string{"case", "kernel", "family", "backend", "status", "check"}
	if err := rows.Write(slices.Concat(head, keys,
		[]string{"elements", "open", "worst", "digest", "ns", "seed", "message"})); err != nil {
		return err
	}
	for _, r := range v.Results {
		if err := rows.Write(literal(row(r, table))); err != nil {
			return err
		}
	}
	rows.Flush()
	return rows.Error()
}

// literal spells out what texts have beside harmless characters and ends of lines, and keeps spreadsheets from taking
// one for a formula: an apostrophe comes first.
func literal(cells []string) []string {
	for i, cell := range cells {
		cell = printable.Text(cell)
		cells[i] = cell
		if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "" &&
			strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
			cells[i] = "'" + cell
		}
	}
	return cells
}

// row is a case as CSV.
func row(r suite.Result, table metrics.Table) []string {
	check := ""
	if len(r.Failures) > 0 {
		check = string(r.Failures[0].Check)
	}
	cells := []string{r.Case, r.Kernel, r.Family, r.Backend, string(r.Status), check}
	for _, m := range table {
		text := ""
		if x, ok := m.Of(r.Outputs); ok && r.Elements > 0 {
			text = strconv.FormatFloat(x, 'g', -1, 64)
		}
		cells = append(cells, text)
	}
	return append(cells, strconv.Itoa(r.Elements), strconv.Itoa(r.Open), worst(r), r.Digest,
		strconv.FormatInt(r.NS, 10), strconv.FormatUint(r.Seed, 10), r.Text())
}

// worst is the element of the largest error, "" where nothing is off.
func worst(r suite.Result) string {
	if r.Worst == nil {
		return ""
	}
	return r.Worst.String()
}
