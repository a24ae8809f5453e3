package intrinsics

import (
	"strings"
	"testing"
)

// A table of errors is read, or refused; an error that it gives a function is a number of ulps.
func FuzzTable(f *testing.F) {
	f.Add(`{"function":"exp","class":"precise","device":"d","arguments":4294967296,"holds":true,"domains":[]}`)
	f.Add(`{"function":"exp","class":"fast","device":"d","arguments":4294967296,"holds":true,"domains":[{"name":"x","ulps":1e308}]} {}`)
	f.Fuzz(func(t *testing.T, text string) {
		table, err := ReadTable(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, a := range table.Accuracies {
			if ulps, ok := table.Of(a.Function, a.Fast); ok && !(ulps >= 0.5) {
				t.Errorf("%s is off by %v", a.Function, ulps)
			}
		}
	})
}
