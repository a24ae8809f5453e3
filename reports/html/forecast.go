package html

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"time"

	"metalconform/metalrun/forecast"
	"metalconform/reports"
	"metalconform/suite"
)

// forecastBody is how long a GPU is likely to take for a case of a kernel.
type forecastBody struct {
	Device, Case, Time, Low, High, Bound string
	Terms                                []forecastTerm
	Lines                                []forecastLine // that the page does not show
	shown                                forecast.Forecast
}

// forecastTerm is what a resource takes.
type forecastTerm struct{ Name, Alone, Halved string }

// forecastLine is a line of the source with its part of the time.
type forecastLine struct {
	link
	Share int // percent
	Bound string
}

// leastShare is the part of the time from which a line is worth a row, in percent.
const leastShare = 5

// forecast is that of the first case of a kernel that has one.
func (s *site) forecast(kernel string) *forecastBody {
	i := slices.IndexFunc(s.Results, func(r suite.Result) bool { return r.Kernel == kernel && r.Forecast != nil })
	if i < 0 {
		return nil
	}
	f := *s.Results[i].Forecast
	seconds := func(x float64) string { return reports.Duration(time.Duration(1e9 * x)) }
	b := &forecastBody{Device: f.Device, Case: s.Results[i].Case, Time: seconds(f.Seconds), Low: seconds(f.Low), High: seconds(f.High), Bound: f.Bound.String(), shown: f}
	order := make([]forecast.Resource, forecast.Resources)
	for r := range order {
		order[r] = forecast.Resource(r)
	}
	slices.SortStableFunc(order, func(a, b forecast.Resource) int { return cmp.Compare(f.Terms[b], f.Terms[a]) })
	for _, r := range order {
		if f.Terms[r] > 0 {
			b.Terms = append(b.Terms, forecastTerm{r.String(), seconds(f.Terms[r]), seconds(f.Halved[r])})
		}
	}
	return b
}

// mark enters the parts of lines that the page shows, and lists the others that matter.
func (b *forecastBody) mark(s *site, file string, lines []sourceLine) {
	at := map[int]*sourceLine{}
	for i := range lines {
		lines[i].Cost = &heat{}
		at[lines[i].Number] = &lines[i]
	}
	for _, l := range b.shown.Lines {
		share := int(float64(100*l.Seconds/b.shown.Seconds) + 0.5)
		if line := at[l.Line]; line != nil && l.File == file {
			if share > 0 {
				line.Cost = &heat{share, fmt.Sprintf("%d %% of the time that is forecast, most of it %s", share, l.Bound)}
			}
		} else if share >= leastShare {
			b.Lines = append(b.Lines, forecastLine{link{Text: fmt.Sprintf("%s:%d", path.Join(s.Root, l.File), l.Line), To: s.lineAnchor(l.File, l.Line)}, share, l.Bound.String()})
		}
	}
	slices.SortStableFunc(b.Lines, func(a, b forecastLine) int { return b.Share - a.Share })
}
