package html

import (
	"math"

	"metalconform/reports"
	"metalconform/suite"
)

// matrixRow is a kernel with the worst of each figure over its cases.
type matrixRow struct {
	Kernel, Page       string
	Family, FamilyPage string
	Verdict            verdict
	Failing, Cases     int
	Judged             bool
	ErrorRatio, Sharp  float64 // errors as fractions of the rigorous and of the statistical bound
	Ulp, Cosine, NMSE  float64
	Elements           int
	NS                 int64
}

// Used is the part of the bound that the worst error takes, in per cent; 101 for
// all that is more than the bound.
func (r matrixRow) Used() int { return used(r.ErrorRatio) }

// used is an error as per cent of its bound, 101 if it is larger.
func used(over float64) int {
	if over > 1 {
		return 101
	}
	return int(math.Ceil(100 * over))
}

// matrix are the rows of the kernels of a family, or of all if there is no name.
func (s *site) matrix(family string) []matrixRow {
	var rows []matrixRow
	for _, t := range s.table.Rows {
		if family == "" || t.Family == family {
			rows = append(rows, s.matrixRow(t))
		}
	}
	return rows
}

func (s *site) matrixRow(t reports.Row) matrixRow {
	r := matrixRow{
		Kernel: t.Kernel, Page: s.names.kernel[t.Kernel], Family: t.Family, FamilyPage: s.names.family[t.Family],
		Verdict: newVerdict(t.Status()), Failing: t.Count[suite.Fail] + t.Count[suite.Error], Cases: t.Cases(), Judged: t.Judged > 0,
		ErrorRatio: t.ErrorRatio, Ulp: t.Ulp, Cosine: t.Cosine, Elements: t.Judged, NS: t.Time.Nanoseconds(),
	}
	for _, i := range s.cases[t.Kernel] {
		for _, m := range s.Results[i].Outputs {
			r.NMSE = max(r.NMSE, m.NMSE)
			if m.Statistical != nil {
				r.Sharp = max(r.Sharp, m.Statistical.Value)
			}
		}
	}
	return r
}
