package reports

import (
	"math"

	"metalconform/metalrun/forecast"
	"metalconform/reports/statistics"
	"metalconform/suite"
)

// forecasts has a row for each case whose time was forecast for the same GPU in both runs.
// What counts is an interval of which even the near end is a change, by the policy's margin
// of times: a forecast in whose interval nothing changes says nothing.
func (c *Comparison) forecasts(before map[string]suite.Result, head []suite.Result) []ComparedRow {
	var rows []ComparedRow
	for _, r := range head {
		was := before[r.Case].Forecast
		if was == nil || r.Forecast == nil || was.Device != r.Forecast.Device {
			continue
		}
		rows = append(rows, expected(r, *was, c.Policy))
	}
	return rows
}

// unforecast says why no forecasts of two runs are compared; nothing if neither has any.
func unforecast(base, head []suite.Result) string {
	device := func(results []suite.Result) string {
		for _, r := range results {
			if r.Forecast != nil {
				return r.Forecast.Device
			}
		}
		return ""
	}
	switch b, h := device(base), device(head); {
	case b == "" && h == "":
		return ""
	case b == "":
		return "base has none: conform run -forecast " + h + " makes them"
	case h == "":
		return "head has none: conform run -forecast " + b + " makes them"
	case b != h:
		return "those of base are of " + b + ", those of head of " + h
	}
	return "no case was forecast in both"
}

func expected(r suite.Result, was forecast.Forecast, p Policy) ComparedRow {
	x := was.Compare(*r.Forecast)
	least := p.time(r.Family)
	m := Measure{Of: "forecast", Base: was.Seconds, Head: r.Forecast.Seconds, Change: suite.Value(x.Ratio),
		Low: suite.Value(x.Low), High: suite.Value(x.High), P: 1, least: least}
	row := ComparedRow{Aspect: Expected, Name: r.Case, Family: r.Family, Samples: [2]int{1, 1}}
	switch {
	case was.Seconds == r.Forecast.Seconds:
		row.Why, m.Verdict = "the same forecast on "+was.Device, statistics.Unchanged
	case math.Log(x.Low) >= least:
		m.Verdict = statistics.Regressed
	case math.Log(x.High) <= -least:
		m.Verdict = statistics.Improved
	case math.Abs(math.Log(x.Ratio)) < least:
		m.Verdict = statistics.Unchanged
	default:
		m.Verdict = statistics.Inconclusive
	}
	if row.Why == "" {
		row.Why = x.String()
	}
	row.Verdict, row.Measures = m.Verdict, []Measure{m}
	return row
}
