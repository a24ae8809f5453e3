package html

import (
	"fmt"
	"math"
	"strings"
	"time"

	"metalconform/reports"
	"metalconform/reports/trend"
)

// trendBody is the page of what changed over many runs.
type trendBody struct{ Series []trendSeries }

// trendSeries is a series of runs.
type trendSeries struct {
	Name, About string
	Steps       []trendStep
	Kernels     []trendRow
	Nights      []trendNight
}

// trendStep is a step with its curve; verdicts have none.
type trendStep struct {
	Aspect   string
	Verdict  verdict
	Sentence string
	Curve    *spark
}

// trendRow are the curves of a name.
type trendRow struct {
	Name, Page string
	Error      *spark
	Inward     *spark
	Time       *spark
}

// trendNight is a run.
type trendNight struct {
	Started, Commit, Shaders string
	Cases, Failing           int
}

// spark is a curve without axes.
type spark struct {
	Width, Height int
	Labels        int    // where the least and the largest value are written; 0 for nowhere
	Points        string // of the line
	Dots          [][2]float64
	Marks         []float64 // where there are steps
	Least, Most   string
	Last          string
	Means         string
}

const (
	sparkWidth, sparkHeight = 180, 36 // in a table
	plotWidth, plotHeight   = 560, 120
	sparkEdge               = 4
	labelWidth              = 80
)

func (s *site) trendPage(w writer) error {
	if s.Trends == nil {
		return nil
	}
	var b trendBody
	for _, t := range s.Trends {
		one := trendSeries{Name: t.Series.String(), About: t.About()}
		curves := map[string]trend.Curve{}
		marks := map[string][]int{}
		for _, c := range t.Curves {
			curves[curveKey(c.Name, c.Measure)] = c
		}
		for _, x := range t.Steps {
			key := curveKey(x.Name, x.Measure)
			marks[key] = append(marks[key], x.First)
		}
		for _, x := range t.Steps {
			step := trendStep{Aspect: string(x.Aspect), Sentence: t.Sentence(x), Verdict: newTrendVerdict(x)}
			if c, ok := curves[curveKey(x.Name, x.Measure)]; ok {
				step.Curve = newSpark(c, marks[curveKey(x.Name, x.Measure)], len(t.Nights), plotWidth, plotHeight)
				step.Curve.Labels, step.Curve.Width = plotWidth+sparkEdge, plotWidth+labelWidth
			}
			one.Steps = append(one.Steps, step)
		}
		one.Kernels = s.trendRows(t, marks)
		for _, n := range t.Nights {
			one.Nights = append(one.Nights, trendNight{n.Key.Started.Format("2006-01-02 15:04"), n.Key.Commit,
				n.Key.Shaders[:min(7, len(n.Key.Shaders))], n.Cases, n.Failing})
		}
		b.Series = append(b.Series, one)
	}
	return s.render(w, "trend.html", "trend", "Trend", nil, b)
}

func curveKey(name, measure string) string { return measure + " " + name }

// newTrendVerdict is a step as it is shown.
func newTrendVerdict(x trend.Step) verdict {
	switch {
	case x.Undone:
		return verdict{Class: "skip", Glyph: "↺", Word: "undone"}
	case x.Worse:
		return verdict{Class: "fail", Glyph: "▼", Word: "worse"}
	}
	return verdict{Class: "pass", Glyph: "▲", Word: "better"}
}

// trendRows are the curves of every name, in order of first appearance.
func (s *site) trendRows(t trend.Trend, marks map[string][]int) []trendRow {
	index := map[string]int{}
	var rows []trendRow
	for _, c := range t.Curves {
		i, ok := index[c.Name]
		if !ok {
			i = len(rows)
			index[c.Name] = i
			rows = append(rows, trendRow{Name: c.Name, Page: s.names.kernel[c.Name]})
		}
		drawn := newSpark(c, marks[curveKey(c.Name, c.Measure)], len(t.Nights), sparkWidth, sparkHeight)
		switch c.Measure {
		case "error":
			rows[i].Error = drawn
		case "inward":
			rows[i].Inward = drawn
		case "time":
			rows[i].Time = drawn
		}
	}
	return rows
}

// newSpark draws a curve over so many nights, between its least and its largest value.
func newSpark(c trend.Curve, marks []int, nights, width, height int) *spark {
	text := reports.Figure
	if c.Measure == "time" {
		text = func(x float64) string { return reports.Duration(time.Duration(x * 1e9)) }
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range c.Values {
		least, most = min(least, v), max(most, v)
	}
	p := &spark{Width: width, Height: height, Least: text(least), Most: text(most),
		Last: text(c.Values[len(c.Values)-1])}
	p.Means = fmt.Sprintf("%s of %s over %d runs, from %s to %s", c.Measure, c.Name, len(c.Values), p.Least, p.Most)
	x := func(night float64) float64 {
		return round(sparkEdge + night/float64(max(1, nights-1))*float64(width-2*sparkEdge))
	}
	var points []string
	for i, v := range c.Values {
		y := float64(height) / 2
		if most > least {
			y = float64(height-sparkEdge) - (v-least)/(most-least)*float64(height-2*sparkEdge)
		}
		dot := [2]float64{x(float64(c.Nights[i])), round(y)}
		p.Dots = append(p.Dots, dot)
		points = append(points, fmt.Sprintf("%g,%g", dot[0], dot[1]))
	}
	p.Points = strings.Join(points, " ")
	for _, m := range marks {
		p.Marks = append(p.Marks, x(float64(m)-0.5))
	}
	return p
}

// round is a place in a drawing.
func round(x float64) float64 { return math.Round(10*x) / 10 }
