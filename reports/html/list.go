package html

import (
	"encoding/json"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/suite"
	"metalconform/suite/metrics"
)

// mostListed is the number of failures that the list of cases has without its
// script.
const mostListed = 1000

// listBody is the page of all cases.
type listBody struct {
	Count    int
	Data     template.JS
	Failures []caseRow
	More     int
	Matrix   []matrixRow
}

func (s *site) casesPage(w writer) error {
	b := listBody{Count: len(s.Results), Matrix: s.matrix("")}
	data, err := s.listData()
	if err != nil {
		return err
	}
	b.Data = template.JS(data)
	for i, r := range s.Results {
		if !fails(r.Status) {
			continue
		}
		if len(b.Failures) == mostListed {
			b.More++
			continue
		}
		row := s.caseRow(i)
		row.Name, row.Page = r.Case, s.casePage(i)
		b.Failures = append(b.Failures, row)
	}
	return s.render(w, "cases.html", "cases", "All cases", nil, b)
}

// listed is a list of cases by columns, with members of one letter: there may be
// hundreds of thousands of rows.
type listed struct {
	Kernels  []string       `json:"kernels"`
	Pages    []string       `json:"pages"` // of the kernels
	Statuses []suite.Status `json:"statuses"`
	Glyphs   []string       `json:"glyphs"`
	Replays  []string       `json:"replays"` // commands, with {} for the case's name
	K        column         `json:"k"`       // kernel
	S        column         `json:"s"`       // status
	N        []string       `json:"n"`       // name without the kernel's
	M        []listedMetric `json:"m"`       // deficits of metrics
	E        column         `json:"e"`       // elements
	T        column         `json:"t"`       // ns
	R        column         `json:"r"`       // replay
	P        map[int]string `json:"p"`       // pages of the cases that have one
}

// listedMetric is a column of a metric; null where a case has none.
type listedMetric struct {
	Key string `json:"key"`
	V   column `json:"v"`
}

// column are numbers with four significant digits, null for NaN. JSON has no word
// for infinity, but a number that is too large is read as one.
type column []float64

func (c column) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, x := range c {
		if i > 0 {
			b = append(b, ',')
		}
		switch {
		case math.IsNaN(x):
			b = append(b, "null"...)
		case math.Abs(x) >= math.MaxFloat64:
			b = strconv.AppendFloat(b, math.Copysign(1, x), 'g', -1, 64)
			b = append(b, "e999"...)
		case x == math.Trunc(x) && math.Abs(x) < 1e15:
			b = strconv.AppendInt(b, int64(x), 10)
		default:
			b = strconv.AppendFloat(b, x, 'g', 4, 64)
		}
	}
	return append(b, ']'), nil
}

// listData is the list as JSON that can stand in a script element.
func (s *site) listData() ([]byte, error) {
	d := listed{Statuses: suite.Statuses(), P: map[int]string{}}
	for _, status := range d.Statuses {
		d.Glyphs = append(d.Glyphs, newVerdict(status).Glyph)
	}
	kernel := map[string]int{}
	for i, row := range s.table.Rows {
		kernel[row.Kernel] = i
		d.Kernels, d.Pages = append(d.Kernels, row.Kernel), append(d.Pages, s.names.kernel[row.Kernel])
	}
	columns := s.columns(metrics.InTables)
	for _, m := range columns {
		d.M = append(d.M, listedMetric{Key: m.Key})
	}
	replay := map[string]int{}
	for i, r := range s.Results {
		command := pattern(r)
		if _, ok := replay[command]; !ok {
			replay[command] = len(d.Replays)
			d.Replays = append(d.Replays, command)
		}
		d.K, d.S = append(d.K, float64(kernel[r.Kernel])), append(d.S, float64(slices.Index(d.Statuses, r.Status)))
		d.N = append(d.N, axesOf(r))
		of := worst(r)
		for j, m := range columns {
			x, ok := of(m)
			if x = m.Deficit(x); !ok {
				x = math.NaN()
			}
			d.M[j].V = append(d.M[j].V, x)
		}
		d.E, d.T, d.R = append(d.E, float64(r.Elements)), append(d.T, float64(r.NS)),
			append(d.R, float64(replay[command]))
		if page := s.names.paged[i]; page != "" {
			d.P[i] = page
		}
	}
	return json.Marshal(d)
}

// pattern is the command that repeats a case, with {} where its name stands.
func pattern(r suite.Result) string {
	return strings.ReplaceAll(r.Replay, r.Case, "{}")
}
