package main

import (
	"strings"
	"testing"

	"metalconform/metalrun/forecast"
	"metalconform/suite"
)

// TestForecastsAreHeaded has a first result without a forecast, such as one of a kernel that reads out
// of range: the others still say what they are.
func TestForecastsAreHeaded(t *testing.T) {
	var out strings.Builder
	results := []suite.Result{{Case: "a"}, {Case: "b", Forecast: &forecast.Forecast{Device: "m1pro", Seconds: 1e-6}},
		{Case: "c", Forecast: &forecast.Forecast{Device: "m1pro"}}}
	if err := printForecasts(&out, results); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "forecast for m1pro ") || !strings.HasPrefix(lines[1], "b ") {
		t.Errorf("%s", out.String())
	}
}
