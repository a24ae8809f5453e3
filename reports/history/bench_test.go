package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/reports/trend"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// The full sweep: 96 kernels of 44 shapes each, with some 14 inputs.
const (
	yearNights  = 365
	yearKernels = 96
	yearShapes  = 44
	yearCases   = 57642
)

// yearNight is a night of the full sweep.
func yearNight(draw *rand.Rand) reports.Set {
	run := reports.Run{Header: reports.Header{
		Commit: "4f2a9c1d0e115a7b", Conform: "test", Started: time.Date(2026, 1, 1, 3, 17, 0, 0, time.UTC),
		Device:  reports.Device{Backend: "simulator", Name: "simulator", Clock: metalrun.HostClock},
		Host:    reports.Host{OS: "linux", Arch: "amd64", CPUs: []string{"a processor"}},
		Options: reports.Options{Sweep: "full", Checks: true, Seed: 1},
	}}
	inputs := []string{
		"normal", "large", "tiny", "ramp", "zeros", "cancelling", "negative", "one-hot", "alternating", "subnormal",
		"nan", "infinite", "powers", "exact",
	}
	for c := range yearCases {
		at, input := c/len(inputs), c%len(inputs)
		kernel := fmt.Sprintf("kernel_%d_of_some_family_f32", at/yearShapes)
		shape := at % yearShapes
		rms := 0.01 * math.Exp(draw.NormFloat64())
		e := metrics.Errors{
			Elements: 1000, Squares: 1000 * rms * rms,
			Sum: 30 * rms * draw.NormFloat64(), Outward: 30 * rms * draw.NormFloat64(),
		}
		run.Results = append(run.Results, suite.Result{
			Case: fmt.Sprintf("%s/rows=%d/dim=%d/input=%s",
				kernel, 1+shape*shape%17, 1+shape*shape*shape%4099, inputs[input]),
			Kernel: kernel, Family: "f", Status: suite.Pass, NS: int64(1e6 * math.Exp(draw.NormFloat64())),
			Outputs: []metrics.Output{{Elements: 1000, Errors: &e}},
		})
	}
	return reports.Set{Run: run}
}

// writeYear writes a year of nights whose errors and times have noise, so that nothing of them repeats.
func writeYear(b *testing.B, dir string) (bytes int64) {
	draw := rand.New(rand.NewPCG(1, 2))
	r := runs(b, yearNight(draw))[0]
	noise := func(list []float32) []float32 {
		noisy := make([]float32, len(list))
		for i, x := range list {
			noisy[i] = float32(math.Round(1e4*float64(x)*math.Exp(0.05*draw.NormFloat64())) / 1e4)
		}
		return noisy
	}
	whole := r.Kernels
	for night := range yearNights {
		r.Kernels = nil
		for _, k := range whole {
			k.Error, k.Bias, k.Inward, k.Time = noise(k.Error), noise(k.Bias), noise(k.Inward), noise(k.Time)
			r.Kernels = append(r.Kernels, k)
		}
		r.Key.Started = r.Key.Started.AddDate(0, 0, 1)
		r.Key.Commit = fmt.Sprintf("%016x", night)
		text, err := encode(r)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fileName(r.Key)), text, 0o666); err != nil {
			b.Fatal(err)
		}
		bytes += int64(len(text))
	}
	return bytes
}

// BenchmarkYear reads a year of nights of the full sweep, and finds its steps.
func BenchmarkYear(b *testing.B) {
	dir := b.TempDir()
	bytes := writeYear(b, dir)
	for b.Loop() {
		runtime.GC()
		s, err := Open(dir, false)
		if err != nil {
			b.Fatal(err)
		}
		nights := s.all(b)
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		read := time.Now()
		found := trend.Find(nights, reports.DefaultPolicy())
		b.ReportMetric(time.Since(read).Seconds(), "s-find")
		b.ReportMetric(float64(memory.Sys)/1e6, "MB")
		if len(found) != 1 || len(found[0].Nights) != yearNights || found[0].Nights[0].Cases != yearCases {
			b.Fatalf("%d series", len(found))
		}
	}
	b.ReportMetric(float64(bytes)/yearNights, "B/night")
}
