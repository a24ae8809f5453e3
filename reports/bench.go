package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/metalrun/timing"
	"metalconform/suite/bench"

	"golang.org/x/perf/benchfmt"
)

// Bench writes measurements in the Go benchmark format, for benchstat and
// whatever else reads it.
type Bench struct {
	w       io.Writer
	backend string
	rows    *benchfmt.Writer
	config  []benchfmt.Config
	threads int
	begun   bool
}

// Setting is one configuration line: what all rows have in common.
type Setting struct{ Key, Value string }

// NewBench is a benchmark file on w, of times on a backend. Settings without a value
// are left out. As go test does, a number of threads other than 1 ends every name; 0 is
// none to tell.
func NewBench(w io.Writer, backend string, threads int, settings ...Setting) *Bench {
	b := &Bench{w: w, backend: backend, rows: benchfmt.NewWriter(w), threads: threads}
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

// Write appends a row for each time of m, and a line that is no row after one that is
// not what was asked for.
func (b *Bench) Write(m bench.Measurement) error {
	for _, t := range m.Times {
		if err := b.begin(); err != nil {
			return err
		}
		if err := b.rows.Write(b.row(m, t)); err != nil {
			return err
		}
		if err := b.doubts(m.Case, t); err != nil {
			return err
		}
	}
	return nil
}

// WriteRate appends a row for each time of one of the device's own rates.
func (b *Bench) WriteRate(r timing.Rate) error {
	for _, t := range r.Times {
		if err := b.begin(); err != nil {
			return err
		}
		row := b.named("Roof/"+r.Name, t, r.Clock, nil)
		add(row, "ns/op", t.Median)
		addClock(row, t)
		if t.Median > 0 {
			add(row, r.Unit+"/s", r.PerSecond(t))
		}
		if err := b.rows.Write(row); err != nil {
			return err
		}
		if err := b.doubts("Roof/"+r.Name, t); err != nil {
			return err
		}
	}
	return nil
}

// doubts writes a line that is no row where a time is not what was asked for.
func (b *Bench) doubts(name string, t timing.Time) error {
	var list []string
	if !t.Close {
		list = append(list, doubt(t))
	}
	if t.Dropped > 0 {
		list = append(list, fmt.Sprintf("%s dropped because the clock moved by more than 3 %% around them",
			printable.Count(t.Dropped, "sample")))
	}
	if !t.Steady {
		list = append(list, "the samples had not become steady before the first that counts")
	}
	if len(list) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(b.w, "# %s: %s\n", name, strings.Join(list, "; "))
	return err
}

// begin writes what stands before the first row.
func (b *Bench) begin() error {
	if b.begun {
		return nil
	}
	b.begun = true
	for _, u := range benchUnits {
		better := &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Key: "better"}, OrigUnit: u[0],
			Value: u[1]}
		if err := b.rows.Write(better); err != nil {
			return err
		}
	}
	return nil
}

// row is one benchmark result. The iterations are the samples; a rate that the
// kernel has nothing to count for is left out.
func (b *Bench) row(m bench.Measurement, t timing.Time) *benchfmt.Result {
	r := b.named("Conform/"+m.Case, t, m.Clock, m.Condition)
	add(r, "ns/op", t.Median)
	add(r, "ns/elem", t.Median/float64(m.Cost.Elements))
	addClock(r, t)
	if t.Median > 0 {
		add(r, "B/s", float64(m.Cost.Bytes)/t.Median*1e9)
		if m.Cost.Operations > 0 {
			add(r, "op/s", float64(m.Cost.Operations)/t.Median*1e9)
		}
	}
	return r
}

// named is a row without values. What a time was taken by, and in what condition of the
// device, is configuration: benchstat keeps apart what cannot be compared.
func (b *Bench) named(name string, t timing.Time, clock metalrun.Clock,
	condition *metalrun.Condition) *benchfmt.Result {
	if b.threads > 1 {
		name += fmt.Sprintf("-%d", b.threads)
	}
	config := slices.Clone(b.config)
	set := func(key, value string) {
		config = append(config, benchfmt.Config{Key: key, Value: []byte(value), File: true})
	}
	set("backend", Timed(b.backend, clock))
	if condition != nil {
		power := "full"
		if condition.LowPower {
			power = "low"
		}
		set("thermal", condition.Thermal.String())
		set("power", power)
	}
	return &benchfmt.Result{Config: config, Name: benchfmt.Name(name), Iters: t.Samples}
}

// addClock says how fast the device's clock ran, as a fraction of its best, and how many samples were dropped for it.
func addClock(r *benchfmt.Result, t timing.Time) {
	if t.Clock > 0 {
		add(r, "clock", t.Clock)
		add(r, "dropped", float64(t.Dropped))
	}
}

func add(r *benchfmt.Result, unit string, x float64) {
	r.Values = append(r.Values, benchfmt.Value{Value: significant(x, 5), Unit: unit})
}

// Timed labels a backend with what its times are: those of a simulator never stand
// beside those of a GPU under one name.
func Timed(backend string, clock metalrun.Clock) string {
	if clock == metalrun.HostClock {
		return backend + " (wall time on CPU)"
	}
	return backend + " (GPU time)"
}

// doubt says how little is known of a median.
func doubt(t timing.Time) string {
	if spread := t.Spread(); !math.IsInf(spread, 1) {
		return fmt.Sprintf("the median of %s is known to ±%s %% only", printable.Count(t.Samples, "sample"),
			Figure(100*spread))
	}
	return printable.Count(t.Samples, "sample") + ", too few to tell how well the median is known"
}

// significant is x rounded to so many decimal digits.
func significant(x float64, digits int) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	return y
}
