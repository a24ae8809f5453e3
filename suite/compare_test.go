package suite

import (
	"math"
	"testing"

	"metalconform/oracles"
)

// value is that of a metric of an output, 0 if there is none.
func value(r Result, output int, key string) float64 {
	v, _ := r.Outputs[output].Metrics.Find(key)
	return v.Value
}

// An output has a map if an error is above half of its bound or a check fails.
func TestMappedOutputs(t *testing.T) {
	for _, test := range []struct {
		got   []float64
		cells string
	}{
		{[]float64{1, 2.5}, ""},
		{[]float64{1, 2.75}, "Bp"},
		{[]float64{1, 4}, "Bu"},
		{[]float64{1, math.NaN()}, "B/"},
	} {
		b, err := poisoned(Out("out", F32, Fixed(2)), Shape{})
		if err != nil {
			t.Fatal(err)
		}
		p := b.payload()[:0]
		for _, x := range test.got {
			p = F32.append(p, x)
		}
		answer := oracles.Answer{Want: []float64{1, 2}, Budget: []oracles.Term{{Error: []float64{1, 1}}}}
		var f figures
		o := output{buffer: b, shape: Shape{}, answer: answer}
		if _, err := o.compare(&f, nil); err != nil {
			t.Fatal(err)
		}
		cells := ""
		if m := f.outputs[0].Map; m != nil {
			cells = m.Cells
		}
		if cells != test.cells {
			t.Errorf("%v: cells %q, want %q", test.got, cells, test.cells)
		}
	}
}
