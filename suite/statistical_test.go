package suite

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
)

// sharpened is the product with a rigorous bound of eight units of y and a
// statistical one of two, where y is 1.5.
func sharpened(input string) Kernel {
	const unit = 0x1p-23
	k := only(product(), input)
	for i := range k.Sweep.Inputs {
		k.Sweep.Inputs[i].Fills = Fills{"x": Every(1.5), "w": Every(1), "hits": Integers}
	}
	k.Oracle = func(p *Problem) Answers {
		answers := productOracle(p)
		y := answers["y"]
		y.Sigma, y.Systematic = make([]float64, len(y.Want)), make([]float64, len(y.Want))
		for i := range y.Want {
			y.Budget[0].Error[i] = 8 * unit
			y.Sigma[i], y.Systematic[i] = unit/8.3, unit
		}
		answers["y"] = y
		return answers
	}
	return k
}

// TestStatisticalBound has errors below, between and above the two bounds.
func TestStatisticalBound(t *testing.T) {
	for _, test := range []struct {
		name  string
		input string
		units uint32 // of y[2, 1]
		want  Check  // empty if it passes
		ratio float64
	}{
		{"no error", "positive", 0, "", 0},
		{"within both", "positive", 2, "", 1},
		{"between", "positive", 3, CheckStatistical, 1.5},
		{"between, inputs with structure", "cancelling", 3, "", 0},
		{"between, one element not finite", "inf_x", 3, "", 0},
		{"beyond both", "positive", 9, CheckBound, 0}, // a breach of the rigorous bound is no more than that
		{"beyond both, inputs with structure", "cancelling", 9, CheckBound, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := results(t, sharpened(test.input), func(d metalrun.Dispatch) error {
				err := runProduct(d)
				runnertest.Memory{Dispatch: d}.SetBits(argY, 17,
					runnertest.Memory{Dispatch: d}.Bits(argY, 17)+test.units)
				return err
			}, Options{})[0]
			switch {
			case test.want == "" && r.Status != Pass:
				t.Errorf("%s: %s, want a pass", r.Status, r.Text())
			case test.want != "" && (r.Status != Fail || len(r.Failures) != 1 || r.Failures[0].Check != test.want):
				t.Errorf("%s: %s, want one failure of %s", r.Status, r.Text(), test.want)
			}
			if got := value(r, 0, "statistical"); math.Abs(got-test.ratio) > 1e-12 {
				t.Errorf("%g of the statistical bound, want %g", got, test.ratio)
			}
			if got := value(r, 0, "sigma"); got != 0 {
				t.Errorf("errors are %g standard deviations, though what is systematic weighs more", got)
			}
		})
	}
}

// TestScatter measures two errors, of three and four standard deviations, among 24
// elements.
func TestScatter(t *testing.T) {
	k := sharpened("positive")
	oracle := k.Oracle
	k.Oracle = func(p *Problem) Answers {
		answers := oracle(p)
		for i := range answers["y"].Sigma {
			answers["y"].Sigma[i], answers["y"].Systematic[i] = 0x1p-23, 0
		}
		return answers
	}
	r := results(t, k, func(d metalrun.Dispatch) error {
		err := runProduct(d)
		runnertest.Memory{Dispatch: d}.SetBits(argY, 3, runnertest.Memory{Dispatch: d}.Bits(argY, 3)+3)
		runnertest.Memory{Dispatch: d}.SetBits(argY, 17, runnertest.Memory{Dispatch: d}.Bits(argY, 17)+4)
		return err
	}, Options{})[0]
	if got, want := value(r, 0, "sigma"), math.Sqrt((9+16)/24.); math.Abs(got-want) > 1e-12 {
		t.Errorf("errors are %g standard deviations in root mean square, want %g", got, want)
	}
}

func TestMessageOfAStatisticalBound(t *testing.T) {
	r := results(t, sharpened("positive"), func(d metalrun.Dispatch) error {
		err := runProduct(d)
		runnertest.Memory{Dispatch: d}.SetBits(argY, 3, runnertest.Memory{Dispatch: d}.Bits(argY, 3)+3)
		runnertest.Memory{Dispatch: d}.SetBits(argY, 17, runnertest.Memory{Dispatch: d}.Bits(argY, 17)+4)
		return err
	}, Options{})[0]
	const want = "y[2, 1] = 1.50000048, want 1.5: error 2 x statistical bound, 0.5 x rigorous bound\n" +
		"\t|got-want| = 4.77e-07, statistical bound = 2.38e-07 = 1.2e-07 systematic + 1.2e-07 roundings (8.3σ); " +
		"rigorous bound = 9.54e-07 = 9.5e-07 u|y|; 2 of 24 elements over, the first y[0, 3]"
	if r.Text() != want {
		t.Errorf("got\n%s\nwant\n%s", r.Text(), want)
	}
	f := r.Failures[0]
	if diff := cmp.Diff(&Bound{0x1p-22, []Term{{"systematic", 0x1p-23}, {"roundings (8.3σ)", 0x1p-23}}},
		f.Statistical); f.ErrorRatio != 2 || diff != "" || f.Broken() != f.Statistical {
		t.Errorf("%g of the statistical bound (-want +got):\n%s", f.ErrorRatio, diff)
	}
	if diff := cmp.Diff(&Bound{0x1p-20, []Term{{"u|y|", 0x1p-20}}}, f.Bound); diff != "" {
		t.Errorf("rigorous bound (-want +got):\n%s", diff)
	}
	if r.ErrorRatio != 0.5 {
		t.Errorf("error ratio %g, want that of the rigorous bound", r.ErrorRatio)
	}
	if n := value(r, 0, "mismatched"); n != 2 {
		t.Errorf("%g elements mismatched, want 2", n)
	}
}

// TestStandardRandomness: bounds about independent errors gate where nothing is
// arranged.
func TestStandardRandomness(t *testing.T) {
	for _, in := range Standard(nil, "x") {
		want := in.Name == "normal" || in.Name == "wide" || in.Name == "positive"
		if in.Random != want {
			t.Errorf("%s is random: %v, want %v", in.Name, in.Random, want)
		}
	}
}
