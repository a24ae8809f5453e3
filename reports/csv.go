package reports

import (
	"encoding/csv"
	"io"
	"strconv"

	"metalconform/suite"
)

// CSV writes a row per case below the names of the columns. An infinite figure is
// +Inf; what a case lacks is empty.
func CSV(w io.Writer, v View) error {
	rows := csv.NewWriter(w)
	if err := rows.Write([]string{
		"case", "kernel", "family", "backend", "status", "check", "over", "ulp", "cosine", "elements", "open", "worst", "digest", "ns", "seed", "message",
	}); err != nil {
		return err
	}
	for _, r := range v.Results {
		if err := rows.Write(row(r)); err != nil {
			return err
		}
	}
	rows.Flush()
	return rows.Error()
}

// row is a case as CSV.
func row(r suite.Result) []string {
	check := ""
	if len(r.Failures) > 0 {
		check = string(r.Failures[0].Check)
	}
	worst := ""
	if r.Worst != nil {
		worst = r.Worst.String()
	}
	number := func(x float64) string {
		if r.Elements == 0 {
			return ""
		}
		return strconv.FormatFloat(finite(x), 'g', -1, 64)
	}
	return []string{
		r.Case, r.Kernel, r.Family, r.Backend, string(r.Status), check, number(r.ErrorRatio), number(r.Ulp), number(r.Cosine),
		strconv.Itoa(r.Elements), strconv.Itoa(r.Open), worst, r.Digest, strconv.FormatInt(r.NS, 10), strconv.FormatUint(r.Seed, 10), r.Text(),
	}
}
