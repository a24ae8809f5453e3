package reports

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"metalconform/suite"

	"golang.org/x/perf/benchfmt"
)

// Bench writes measurements in the Go benchmark format, for benchstat and
// whatever else reads it.
type Bench struct {
	w       io.Writer
	rows    *benchfmt.Writer
	config  []benchfmt.Config
	threads int
	begun   bool
}

// Setting is one configuration line: what all rows have in common.
type Setting struct{ Key, Value string }

// NewBench is a benchmark file on w. Settings without a value are left out. As
// go test does, a number of threads other than 1 ends every name; 0 is none to
// tell.
func NewBench(w io.Writer, threads int, settings ...Setting) *Bench {
	b := &Bench{w: w, rows: benchfmt.NewWriter(w), threads: threads}
	for _, s := range settings {
		if s.Value != "" {
			b.config = append(b.config, benchfmt.Config{Key: s.Key, Value: []byte(s.Value), File: true})
		}
	}
	return b
}

// benchUnits are the units of a row that benchstat does not know, with what is
// better of them.
var benchUnits = [][2]string{{"ns/elem", "lower"}, {"op/s", "higher"}}

// Write appends a row for each time of m, and a line that is no row after one
// whose median is known less well than was asked.
func (b *Bench) Write(m suite.Measurement) error {
	for _, t := range m.Times {
		if err := b.begin(); err != nil {
			return err
		}
		if err := b.rows.Write(b.row(m, t)); err != nil {
			return err
		}
		if t.Close {
			continue
		}
		if _, err := fmt.Fprintf(b.w, "# %s: %s\n", m.Case, doubt(t)); err != nil {
			return err
		}
	}
	return nil
}

// begin writes what stands before the first row.
func (b *Bench) begin() error {
	if b.begun {
		return nil
	}
	b.begun = true
	for _, u := range benchUnits {
		better := &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Key: "better"}, OrigUnit: u[0], Value: u[1]}
		if err := b.rows.Write(better); err != nil {
			return err
		}
	}
	return nil
}

// row is one benchmark result. The iterations are the samples; a rate that the
// kernel has nothing to count for is left out.
func (b *Bench) row(m suite.Measurement, t suite.Time) *benchfmt.Result {
	name := "Conform/" + m.Case
	if b.threads > 1 {
		name += fmt.Sprintf("-%d", b.threads)
	}
	r := &benchfmt.Result{Config: b.config, Name: benchfmt.Name(name), Iters: t.Samples}
	add := func(unit string, x float64) {
		r.Values = append(r.Values, benchfmt.Value{Value: significant(x, 5), Unit: unit})
	}
	add("ns/op", t.Median)
	add("ns/elem", t.Median/float64(m.Cost.Elements))
	if t.Median > 0 {
		add("B/s", float64(m.Cost.Bytes)/t.Median*1e9)
		if m.Cost.Operations > 0 {
			add("op/s", float64(m.Cost.Operations)/t.Median*1e9)
		}
	}
	return r
}

// doubt says how little is known of a median.
func doubt(t suite.Time) string {
	if spread := t.Spread(); !math.IsInf(spread, 1) {
		return fmt.Sprintf("the median of %s is known to ±%s %% only", count(t.Samples, "sample"), Figure(100*spread))
	}
	return count(t.Samples, "sample") + ", too few to tell how well the median is known"
}

// significant is x rounded to so many decimal digits.
func significant(x float64, digits int) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	return y
}
