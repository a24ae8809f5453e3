package plot

import (
	"fmt"
	"strings"

	"metalconform/metalrun/timing"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/bench"
)

// Bench are times of conform bench.
type Bench struct {
	Backend string               // with what its times are: see [reports.Timed]; empty if nothing says
	Times   map[string][]float64 // medians of rows in seconds, by case
	// Known are the intervals of medians of which there is one: low and high.
	Known map[string][2]float64
	Roof  Roof
	// Clock has the least and the largest fraction of its best that the device's clock ran at; 0 if nobody looked.
	Clock [2]float64
}

// clock says between which clocks the times were taken, if anybody looked.
func (b Bench) clock() string {
	if b.Clock[0] == 0 {
		return ""
	}
	return fmt.Sprintf(" It ran at %.0f to %.0f %% of the fastest that was seen.", 100*b.Clock[0], 100*b.Clock[1])
}

// ran takes a clock, or a range of clocks, if there is one.
func (b *Bench) ran(least, most float64) {
	if least <= 0 {
		return
	}
	if b.Clock[0] == 0 || least < b.Clock[0] {
		b.Clock[0] = least
	}
	b.Clock[1] = max(b.Clock[1], most)
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
func (b *Bench) Add(backend string, m bench.Measurement) {
	if len(m.Times) == 0 || !b.of(reports.Timed(backend, m.Clock)) {
		return
	}
	for _, t := range m.Times {
		b.Times[m.Case] = append(b.Times[m.Case], t.Median/1e9)
		b.Known[m.Case] = [2]float64{t.Low / 1e9, t.High / 1e9}
		b.ran(t.Clock, t.Clock)
	}
}

// forecastBackend begins what stands for the backend of forecasts.
const forecastBackend = "forecast for "

// AddForecast appends the forecast of a result, if it has one, unless there are times that
// are none or of another device.
func (b *Bench) AddForecast(r suite.Result) {
	f := r.Forecast
	if f == nil || !b.of(forecastBackend+f.Device) {
		return
	}
	b.Times[r.Case] = []float64{f.Seconds}
	b.Known[r.Case] = [2]float64{f.Low, f.High}
}

// forecast reports whether the times are forecasts.
func (b Bench) forecast() bool { return strings.HasPrefix(b.Backend, forecastBackend) }

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

// Append appends what conform bench has written. Times of two backends are refused: what
// a GPU takes and what a simulator takes have nothing to do with each other.
func (b *Bench) Append(t reports.Times) error {
	if len(t.Seconds) == 0 && len(t.Rates) == 0 {
		return nil
	}
	if backend := t.Settings["backend"]; !b.of(backend) {
		return fmt.Errorf("times of %q beside those of %q: plot them apart", backend, b.Backend)
	}
	b.ran(t.Clock[0], t.Clock[1])
	for c, seconds := range t.Seconds {
		b.Times[c] = append(b.Times[c], seconds...)
	}
	b.Roof.Bandwidth = max(b.Roof.Bandwidth, t.Rates["copy"])
	b.Roof.Arithmetic = max(b.Roof.Arithmetic, t.Rates["fma"])
	b.Roof.Measured = b.Roof.Measured || len(t.Rates) > 0
	return nil
}
