package metrics

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The worst of several outputs is what the metric says it is.
func TestWorst(t *testing.T) {
	outputs := func(values ...float64) (list []Output) {
		for _, x := range values {
			list = append(list, Output{Metrics: Values{{"m", x, []int{1}}}}, Output{})
		}
		return list
	}
	for _, test := range []struct {
		worst  Worst
		values []float64
		want   float64
	}{
		{Largest, []float64{1, 3, 2}, 3}, {Largest, []float64{1, math.Inf(1)}, math.Inf(1)},
		{Smallest, []float64{2, -1, 3}, -1},
		{Farthest, []float64{2, -3, 1}, -3}, {Farthest, []float64{-2, 3, 1}, 3}, {Total, []float64{2, 3, 4}, 9},
	} {
		m := Metric{Key: "m", Worst: test.worst}
		if got, ok := m.Of(outputs(test.values...)); got != test.want || !ok {
			t.Errorf("of %v: %g, want %g", test.values, got, test.want)
		}
		table := Table{m, {Key: "other"}}
		joined := table.Join(table.Join(nil, outputs(test.values[0])), outputs(test.values[1:]...))
		if diff := cmp.Diff(Values{{Key: "m", Value: test.want}}, joined); diff != "" {
			t.Errorf("of %v (-want +got):\n%s", test.values, diff)
		}
	}
	if _, ok := (Metric{Key: "m"}).Of([]Output{{}}); ok {
		t.Error("outputs without a value have a worst one")
	}
}

// A deficit begins at 0, where rounding leaves a cosine that is 1.
func TestDeficit(t *testing.T) {
	cosine, _ := All().Find(Cosine)
	ratio, _ := All().Find(ErrorRatio)
	for _, test := range []struct {
		m          Metric
		x, deficit float64
	}{
		{cosine, 1, 0}, {cosine, 1 + 1e-15, 0}, {cosine, 1 - 1e-13, 0}, {cosine, 0.75, 0.25}, {cosine, -1, 2},
		{ratio, 0.5, 0.5}, {ratio, 0, 0},
	} {
		if got := test.m.Deficit(test.x); got != test.deficit {
			t.Errorf("%s %g: %g, want %g", test.m.Key, test.x, got, test.deficit)
		}
	}
	if !math.IsNaN(cosine.Deficit(math.NaN())) {
		t.Error("NaN has a deficit")
	}
}

// Rows of the table say what reports need of them.
func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range All() {
		functions := 0
		for _, there := range []bool{m.Extreme != nil, m.Whole != nil, m.Sums != nil, m.Against != nil} {
			if there {
				functions++
			}
		}
		if seen[m.Key] || m.Key == "" || m.Name == "" || m.Means == "" || functions != 1 || m.Sliced && m.Sums == nil {
			t.Errorf("%+v", m)
		}
		seen[m.Key] = true
	}
}
