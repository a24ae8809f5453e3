package html

import (
	"cmp"
	"slices"

	"metalconform/metalrun"
)

// latencyRow is the time that a kernel's launches took.
type latencyRow struct {
	Kernel, Page  string
	Cases         int
	Total, Median int64 // ns; of a case
	Slowest       int64
	SlowestCase   string
	SlowestPage   string
	PerElement    float64 // ns of all cases over their elements; 0 if there are none
	Share         int     // of the slowest kernel's total, per cent
	Verdict       verdict
}

// latencyBody is the page of times.
type latencyBody struct {
	Backend   string
	Simulator bool
	Total     int64
	Rows      []latencyRow // the slowest first, as many as kernels may have pages
	Figures   *gallery
}

func (s *site) latencyPage(w writer) error {
	b := latencyBody{Backend: s.Device.Backend, Simulator: s.Device.Clock == metalrun.HostClock, Rows: s.latencyRows(),
		Figures: s.pictures("", true)}
	for _, r := range b.Rows {
		b.Total += r.Total
	}
	b.Rows = b.Rows[:min(len(b.Rows), s.Most)]
	return s.render(w, "latency.html", "latency", "Times", nil, b)
}

// latencyRows are the times of all kernels. Cases that were not launched are left
// out.
func (s *site) latencyRows() []latencyRow {
	var rows []latencyRow
	most := int64(1)
	for _, t := range s.table.Rows {
		r := latencyRow{Kernel: t.Kernel, Page: s.names.kernel[t.Kernel], Verdict: newVerdict(t.Status())}
		var times []float64
		elements := 0
		for _, i := range s.cases[t.Kernel] {
			c := s.Results[i]
			if c.NS == 0 {
				continue
			}
			times = append(times, float64(c.NS))
			elements += c.Elements
			r.Total += c.NS
			if c.NS > r.Slowest {
				r.Slowest, r.SlowestCase, r.SlowestPage = c.NS, axesOf(c), s.casePage(i)
			}
		}
		if len(times) == 0 {
			continue
		}
		slices.Sort(times)
		r.Cases, r.Median = len(times), int64(times[(len(times)-1)/2])
		if elements > 0 {
			r.PerElement = float64(r.Total) / float64(elements)
		}
		most = max(most, r.Total)
		rows = append(rows, r)
	}
	for i := range rows {
		rows[i].Share = int(100 * rows[i].Total / most)
	}
	slices.SortStableFunc(rows, func(a, b latencyRow) int { return cmp.Compare(b.Total, a.Total) })
	return rows
}
