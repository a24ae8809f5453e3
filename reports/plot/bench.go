package plot

import (
	"fmt"
	"io"
	"strings"

	"metalconform/metalrun/timing"
	"metalconform/reports"
	"metalconform/suite"

	"golang.org/x/perf/benchfmt"
)

// Bench are times of conform bench.
type Bench struct {
	Backend string               // with what its times are: see [reports.Timed]; empty if nothing says
	Times   map[string][]float64 // medians of rows in seconds, by case
	// Known are the intervals of medians of which there is one: low and high.
	Known map[string][2]float64
	Roof  Roof
}

// NewBench has no times yet.
func NewBench() Bench { return Bench{Times: map[string][]float64{}, Known: map[string][2]float64{}} }

// of reports whether times of a backend are of one kind with those that there are.
func (b *Bench) of(backend string) bool {
	if len(b.Times) == 0 && !b.Roof.Measured {
		b.Backend = backend
	}
	return backend == b.Backend
}

// Add appends the times of a case on a backend, unless they are by another clock than
// those before.
func (b *Bench) Add(backend string, m suite.Measurement) {
	if len(m.Times) == 0 || !b.of(reports.Timed(backend, m.Clock)) {
		return
	}
	for _, t := range m.Times {
		b.Times[m.Case] = append(b.Times[m.Case], t.Median/1e9)
		b.Known[m.Case] = [2]float64{t.Low / 1e9, t.High / 1e9}
	}
}

// AddRoof takes the best of the rates that were measured on a backend.
func (b *Bench) AddRoof(backend string, roof timing.Roof) {
	if roof.Copy.Clock != roof.FMA.Clock || !b.of(reports.Timed(backend, roof.Copy.Clock)) {
		return
	}
	for _, t := range roof.Copy.Times {
		b.Roof.Bandwidth = max(b.Roof.Bandwidth, roof.Copy.PerSecond(t))
	}
	for _, t := range roof.FMA.Times {
		b.Roof.Arithmetic = max(b.Roof.Arithmetic, roof.FMA.PerSecond(t))
	}
	b.Roof.Measured = true
}

// Read appends what conform bench has written. name is that of the file, for errors.
// Rows of other benchmarks are left out. Times of two backends are refused: what a GPU
// takes and what a simulator takes have nothing to do with each other.
func (b *Bench) Read(r io.Reader, name string) error {
	rows := benchfmt.NewReader(r, name)
	for rows.Scan() {
		switch row := rows.Result().(type) {
		case *benchfmt.SyntaxError:
			return fmt.Errorf("%s:%d: %s", row.FileName, row.Line, row.Msg)
		case *benchfmt.Result:
			if err := b.read(row); err != nil {
				file, line := row.Pos()
				return fmt.Errorf("%s:%d: %w", file, line, err)
			}
		}
	}
	return rows.Err()
}

func (b *Bench) read(row *benchfmt.Result) error {
	base, parts := row.Name.Parts()
	var c strings.Builder
	for _, part := range parts {
		if part[0] == '/' { // the other kind is the number of threads
			c.Write(part)
		}
	}
	name := strings.TrimPrefix(c.String(), "/")
	seconds, ok := row.Value("sec/op")
	if !ok || string(base) != "Conform" && string(base) != "Roof" {
		return nil
	}
	backend := row.GetConfig("backend")
	if !b.of(backend) {
		return fmt.Errorf("times of %q beside those of %q: plot them apart", backend, b.Backend)
	}
	if string(base) == "Conform" {
		b.Times[name] = append(b.Times[name], seconds)
		return nil
	}
	b.Roof.Measured = true
	if rate, ok := row.Value("B/s"); ok {
		b.Roof.Bandwidth = max(b.Roof.Bandwidth, rate)
	}
	if rate, ok := row.Value("op/s"); ok {
		b.Roof.Arithmetic = max(b.Roof.Arithmetic, rate)
	}
	return nil
}
