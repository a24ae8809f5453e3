package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/suite"
	"metalconform/suite/metrics"

	"golang.org/x/perf/benchfmt"
)

// Benchmarks writes a row in the Go benchmark format for each case that conforms:
// the time of its launches and the metrics of tables, by their keys, of which
// less is better. benchstat compares two such files. One run is one sample of a
// time; for times that are worth comparing there is conform bench.
func Benchmarks(w io.Writer, v View) error {
	rows := benchfmt.NewWriter(w)
	shown := slices.DeleteFunc(v.Metrics.Or().Shown(metrics.InTables),
		func(m metrics.Metric) bool { return m.Worst == metrics.Smallest })
	for _, m := range shown {
		better := &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Key: "better"}, OrigUnit: m.Key,
			Value: "lower"}
		if err := rows.Write(better); err != nil {
			return err
		}
	}
	config := v.configuration()
	for _, r := range v.Results {
		if r.Status != suite.Pass || r.Elements == 0 {
			continue
		}
		row := &benchfmt.Result{Config: config, Name: benchfmt.Name("Conform/" + word(r.Case)), Iters: 1}
		row.Values = []benchfmt.Value{{Value: float64(r.NS), Unit: "ns/op"}}
		for _, m := range shown {
			if x, ok := m.Of(r.Outputs); ok && !math.IsInf(x, 0) {
				row.Values = append(row.Values, benchfmt.Value{Value: x, Unit: m.Key})
			}
		}
		if err := rows.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// configuration is what all rows have in common.
func (v View) configuration() []benchfmt.Config {
	var config []benchfmt.Config
	for _, s := range []Setting{
		{"goos", v.Host.OS}, {"goarch", v.Host.Arch}, {"backend", Timed(v.Device.Backend, v.Device.Clock)},
		{"device", v.Device.Name},
		{"seed", fmt.Sprint(v.Options.Seed)}, {"commit", v.Commit},
	} {
		if value := strings.Join(strings.Fields(printable.Text(s.Value)), " "); value != "" {
			config = append(config, benchfmt.Config{Key: s.Key, Value: []byte(value), File: true})
		}
	}
	return config
}
