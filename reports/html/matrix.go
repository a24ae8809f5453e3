package html

import (
	"cmp"
	"slices"

	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// matrixRow is a kernel with the metrics of its cases.
type matrixRow struct {
	Kernel, Page       string
	Family, FamilyPage string
	Verdict            verdict
	Failing, Cases     int
	Judged             bool
	Cells              []metricCell // the worst of all cases
	Elements           int
	NS                 int64
}

// matrix are the rows of the kernels of a family that have a page, or of all if there is no name: those
// that fail first.
func (s *site) matrix(family string) []matrixRow {
	var rows []matrixRow
	for _, t := range s.shown {
		if family == "" || t.Family == family {
			rows = append(rows, s.matrixRow(t))
		}
	}
	slices.SortStableFunc(rows, func(a, b matrixRow) int { return cmp.Compare(min(b.Failing, 1), min(a.Failing, 1)) })
	return rows
}

func (s *site) matrixRow(t reports.Row) matrixRow {
	worst := func(m metrics.Metric) (float64, bool) {
		v, ok := t.Metrics.Find(m.Key)
		return v.Value, ok && t.Judged > 0
	}
	return matrixRow{
		Kernel: t.Kernel, Page: s.names.kernel[t.Kernel], Family: t.Family, FamilyPage: s.names.family[t.Family],
		Verdict: newVerdict(t.Status()), Failing: t.Count[suite.Fail] + t.Count[suite.Error], Cases: t.Cases(),
		Judged: t.Judged > 0,
		Cells:  cells(s.columns(metrics.InMatrix), worst), Elements: t.Judged, NS: t.Time.Nanoseconds(),
	}
}
