package reports

import (
	"fmt"
	"io"
	"math"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"

	"golang.org/x/perf/benchfmt"
)

// Benchmarks writes a row in the Go benchmark format for each case that conforms:
// the time of its launches, its error as a fraction of the bound, and in units in
// the last place. benchstat compares two such files. One run is one sample of a
// time; for times that are worth comparing there is conform bench.
func Benchmarks(w io.Writer, v View) error {
	rows := benchfmt.NewWriter(w)
	for _, unit := range []string{"bound", "ulp"} {
		better := &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Key: "better"}, OrigUnit: unit, Value: "lower"}
		if err := rows.Write(better); err != nil {
			return err
		}
	}
	config := v.configuration()
	for _, r := range v.Results {
		if r.Status != suite.Pass || r.Elements == 0 {
			continue
		}
		row := &benchfmt.Result{Config: config, Name: benchfmt.Name("Conform/" + r.Case), Iters: 1}
		for _, x := range []benchfmt.Value{{Value: float64(r.NS), Unit: "ns/op"}, {Value: r.ErrorRatio, Unit: "bound"}, {Value: finite(r.Ulp), Unit: "ulp"}} {
			if !math.IsInf(x.Value, 0) {
				row.Values = append(row.Values, x)
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
	backend := v.Device.Backend
	if v.Device.Clock == metalrun.HostClock {
		backend += " (wall time on CPU)"
	}
	var config []benchfmt.Config
	for _, s := range []Setting{
		{"goos", v.Host.OS}, {"goarch", v.Host.Arch}, {"backend", backend}, {"device", v.Device.Name},
		{"seed", fmt.Sprint(v.Options.Seed)}, {"commit", v.Commit},
	} {
		if value := strings.Join(strings.Fields(s.Value), " "); value != "" {
			config = append(config, benchfmt.Config{Key: s.Key, Value: []byte(value), File: true})
		}
	}
	return config
}
