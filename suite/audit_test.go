package suite

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"metalconform/oracles"
)

// total is a kernel whose oracle is the sum of each row in the given arithmetic,
// with the running error bound of an f32 sum.
func total(add func(s, x float64) float64) Kernel {
	return Kernel{
		Name: "total", Axes: []Axis{rows, wide},
		Args: Args{In("x", F32, rows, wide), Out("y", F32, rows)},
		Oracle: func(p *Problem) Answers {
			n := p.Shape[wide]
			y := oracles.Answer{Want: make([]float64, p.Shape[rows]), Budget: []oracles.Term{{Label: "uΣ|s|", Error: make([]float64, p.Shape[rows])}}}
			for i, x := range p.Values("x") {
				y.Want[i/n] = add(y.Want[i/n], x)
				y.Budget[0].Error[i/n] += 0x1p-24 * math.Abs(y.Want[i/n])
			}
			return Answers{"y": y}
		},
	}
}

func totalTwin(p *Problem) map[string]oracles.Reference {
	x, n := p.Values("x"), p.Shape[wide]
	return map[string]oracles.Reference{"y": func(i int) *big.Float {
		s := new(big.Float).SetPrec(256)
		for _, v := range x[i*n : (i+1)*n] {
			s.Add(s, new(big.Float).SetFloat64(v))
		}
		return s
	}}
}

// TestAudit checks that an oracle that adds in float64 is accepted, that one
// that adds in f32, as its kernel does, is refused, and so are two that are
// wrong in being finite.
func TestAudit(t *testing.T) {
	plain := func(s, x float64) float64 { return s + x }
	single := func(s, x float64) float64 { return float64(float32(s + x)) }
	for _, test := range []struct {
		name string
		add  func(s, x float64) float64
		fill Fill
		want string // of the error; "" for none
	}{
		{"in float64", plain, Normal, ""},
		{"in float64, cancelling", plain, Cancelling, ""},
		{"in f32", single, Normal, "the oracle is not exact enough for y["},
		{"NaN", plain, OneOf(Normal, math.NaN()), ""},
		{"infinite", plain, OneOf(Normal, math.Inf(-1)), ""},
		{"loses a NaN", func(s, x float64) float64 { return s }, Every(math.NaN()), "exactly NaN: +Inf of its bound"},
		{"makes a NaN", func(s, x float64) float64 { return math.NaN() }, Normal, "want = NaN, exactly"},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := total(test.add)
			c := Case{Name: "total", Kernel: &k, Shape: Shape{rows: 40, wide: 5}, Input: Input{Name: "x", Fills: Fills{"x": test.fill}}}
			audited, err := Audit(nil, c, 1, totalTwin, 20)
			if err != nil || len(audited) != 1 {
				t.Fatalf("%d outputs were audited, error %v", len(audited), err)
			}
			switch err := audited[0].Err(); {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// TestAuditWants checks that an audit says which output it has no exact values
// of, and that copies need none.
func TestAuditWants(t *testing.T) {
	k := product()
	c := Case{Name: "product", Kernel: &k, Shape: k.Sweep.Shapes[0], Input: k.Sweep.Inputs[0]}
	if _, err := Audit(nil, c, 1, nil, 1); err == nil || err.Error() != "no exact values are known of y" {
		t.Errorf("error %v, want one about y", err)
	}
	k.Oracle = func(p *Problem) Answers {
		exact := oracles.Answer{Exact: true}
		return Answers{"y": exact, "copy": exact, "hits": exact}
	}
	if audited, err := Audit(nil, c, 1, nil, 1); err != nil || len(audited) > 0 {
		t.Errorf("%v was audited, error %v", audited, err)
	}
}

// TestUnresolved holds the condition on every element to what float64 resolves.
func TestUnresolved(t *testing.T) {
	const between = 1 + 0x1p-30 // a float64, no f32
	for _, test := range []struct {
		name        string
		of          Type
		want, bound float64
		refused     bool
	}{
		{"a bound of one rounding", F32, between, 0x1p-24, false},
		{"a number of the type with no bound", F32, 1.5, 0, false},
		{"no number of the type with no bound", F32, between, 0, true},
		{"no number of the type with the bound of an underflow", F32, between, 0x1p-126, true},
		{"a number of the type with the bound of an underflow", F32, 1.5, 0x1p-126, false},
		{"ten times what float64 resolves", F32, between, 10.1 * 0x1p-53, false},
		{"less than that", F32, between, 9.9 * 0x1p-53, true},
		{"zero", F32, 0, 0, false},
		{"infinite", F32, math.Inf(1), 0, false},
		{"open", F32, between, math.Inf(1), false},
		{"no integer", I32, 2.5, 0, true},
		{"an integer", I32, 2, 0, false},
		{"close to a number of a narrow type", BF16, between, 0x1p-50, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := poisoned(Out("y", test.of, wide), Shape{wide: 1})
			if err != nil {
				t.Fatal(err)
			}
			o := output{buffer: b, shape: Shape{wide: 1}}
			if err := o.unresolved(0, test.want, test.bound); (err != nil) != test.refused {
				t.Errorf("error %v, want one: %t", err, test.refused)
			}
		})
	}
}
