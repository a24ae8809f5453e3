package html

import (
	"fmt"
	"path"
	"slices"
	"time"

	"metalconform/metalrun/forecast"
	"metalconform/reports"
)

// forecastBody is how long a GPU is likely to take for a case of a kernel.
type forecastBody struct {
	Device, Case, Time, Low, High, Bound string
	Alone, Slower                        string // if the forecast says so
	Residence                            string // likewise
	Terms                                []forecastTerm
	Lines                                []forecastLine // of files that the page does not show
	Work                                 string         // what all lines take
	shown                                forecast.Forecast
}

// forecastTerm is what a resource takes.
type forecastTerm struct{ Name, Alone, Halved, Means string }

// forecastLine is a line of the source with its part of the time.
type forecastLine struct {
	link
	Share int // percent
	Bound string
}

// leastShare is the part of what all lines take from which a line is worth a row, in percent.
const leastShare = 5

// forecast is that of the first case of a kernel that has one.
func (s *site) forecast(kernel string) *forecastBody {
	of := s.cases[kernel]
	first := slices.IndexFunc(of, func(i int) bool { return s.Results[i].Forecast != nil })
	if first < 0 {
		return nil
	}
	i := of[first]
	f := *s.Results[i].Forecast
	seconds := func(x float64) string { return reports.Duration(time.Duration(1e9 * x)) }
	b := &forecastBody{Device: f.Device, Case: s.Results[i].Case, Time: seconds(f.Seconds), Low: seconds(f.Low),
		High: seconds(f.High), Bound: f.Bound.String(), shown: f}
	if f.Slower > 0 {
		b.Alone, b.Slower = seconds(f.Alone), fmt.Sprintf("%.2f", f.Slower)
	}
	b.Residence = reports.Residence(f.Residence)
	work := 0.0
	for _, l := range f.Lines {
		work += l.Seconds
	}
	b.Work = seconds(work)
	for _, r := range f.Largest() {
		b.Terms = append(b.Terms, forecastTerm{r.String(), seconds(f.Terms[r]), seconds(f.Halved[r]), r.Means()})
	}
	return b
}

// costs are the parts of lines in what all of them take, by file and line.
func (b *forecastBody) costs() map[string]map[int]*heat {
	all := map[string]map[int]*heat{}
	for _, s := range b.shown.Shares(0) {
		l := s.Line
		if all[l.File] == nil {
			all[l.File] = map[int]*heat{}
		}
		if share := int(100*s.Part + 0.5); share > 0 {
			h := &heat{Share: share, Title: fmt.Sprintf("%d %% of what all lines take by the forecast, most of it %s",
				share, l.Bound)}
			if share >= leastShare {
				h.Most = l.Bound.String()
			}
			all[l.File][l.Line] = h
		}
	}
	return all
}

// list lists the lines that matter of files that the page does not show.
func (b *forecastBody) list(s *site, costs map[string]map[int]*heat) {
	for _, l := range b.shown.Lines {
		if h := costs[l.File][l.Line]; s.lines(l.File) == nil && h != nil && h.Share >= leastShare {
			b.Lines = append(b.Lines, forecastLine{link{Text: fmt.Sprintf("%s:%d", path.Join(s.Root, l.File), l.Line)},
				h.Share, l.Bound.String()})
		}
	}
	slices.SortStableFunc(b.Lines, func(a, b forecastLine) int { return b.Share - a.Share })
}
