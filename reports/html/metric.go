package html

import (
	"math"
	"slices"
	"strconv"

	"metalconform/reports"
	"metalconform/suite/metrics"
)

// metricCell is the value of a metric in a table.
type metricCell struct {
	Metric metrics.Metric
	Known  bool // there is one
	Text   string
	Sort   string // the number that the table is sorted by
	Used   int    // part of the limit that it takes, in per cent; 101 for all that is more
}

// columns are the metrics of a table that is on pages in a place. Of the rare ones it has those that some kernel has.
func (s *site) columns(in metrics.Shown) metrics.Table {
	has := func(m metrics.Metric) bool {
		return slices.ContainsFunc(s.table.Rows, func(r reports.Row) bool {
			_, ok := r.Metrics.Find(m.Key)
			return ok
		})
	}
	return slices.DeleteFunc(s.table.Metrics.Shown(in),
		func(m metrics.Metric) bool {
			return m.Exact && !s.Options.Exact || m.Rare && in == metrics.InMatrix && !has(m)
		})
}

// none stands for a value that there is not.
const none = "–"

// text is a value as it is written. An error that is infinitely many times its bound is that of an element that has to
// be exact: it is no number.
func text(m metrics.Metric, x float64) string {
	if reports.Unbounded(x) {
		return none
	}
	return reports.Value(m, x)
}

// cells are the values of columns, unknown where of finds none.
func cells(columns metrics.Table, of func(metrics.Metric) (float64, bool)) []metricCell {
	list := make([]metricCell, len(columns))
	for i, m := range columns {
		x, known := of(m)
		list[i] = metricCell{m, known, text(m, x), strconv.FormatFloat(number(x), 'g', -1, 64),
			used(x, m.Limit)}
	}
	return list
}

// number is x as a script can read it: infinities are the largest numbers.
func number(x float64) float64 {
	return min(max(x, -math.MaxFloat64), math.MaxFloat64)
}

// used is x as per cent of a limit, 101 if it is larger; 0 if there is none.
func used(x, limit float64) int {
	switch {
	case limit == 0:
		return 0
	case x > limit:
		return 101
	}
	return int(math.Ceil(100 * x / limit))
}

// reading is a metric of an output.
type reading struct {
	Name, Means, Text, Unit string
	At                      []int
}

// readings are the metrics that an output has. Zeros of an output of which nothing was measured are none.
func readings(o metrics.Output, shown metrics.Table) []reading {
	var list []reading
	differs := func(v metrics.Value) bool { return v.Value != 0 && v.Key != metrics.Cosine }
	if o.Elements == 0 && !slices.ContainsFunc(o.Metrics, differs) {
		return nil
	}
	for _, m := range shown {
		v, ok := o.Metrics.Find(m.Key)
		if !ok || reports.Unbounded(v.Value) {
			continue
		}
		r := reading{Name: m.Name, Means: m.Means, Text: reports.Value(m, v.Value), At: v.At}
		if m.Unit != m.Name {
			r.Unit = m.Unit
		}
		list = append(list, r)
	}
	return list
}

// sliceRow is the worst part of an output among parts of one kind.
type sliceRow struct {
	metrics.Slices
	Cells []sliceCell
}

type sliceCell struct {
	Text string
	At   []int
}

// sliceRows are the worst parts of each kind, by the metrics that stand above them.
func sliceRows(o metrics.Output, shown metrics.Table) (heads metrics.Table, rows []sliceRow) {
	for _, m := range shown {
		has := func(part metrics.Slices) bool { _, ok := part.Metrics.Find(m.Key); return ok }
		if m.Sliced && slices.ContainsFunc(o.Slices, has) {
			heads = append(heads, m)
		}
	}
	for _, part := range o.Slices {
		row := sliceRow{Slices: part}
		for _, m := range heads {
			if v, ok := part.Metrics.Find(m.Key); ok {
				row.Cells = append(row.Cells, sliceCell{text(m, v.Value), v.At})
			} else {
				row.Cells = append(row.Cells, sliceCell{Text: none})
			}
		}
		rows = append(rows, row)
	}
	return heads, rows
}
