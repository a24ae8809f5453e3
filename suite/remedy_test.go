package suite

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
	"metalconform/oracles"
)

// contracted is the product under a contract with two sums. Each thing that a contract
// may allow gives y an ulp more, but flushing, which allows it nothing.
func contracted() Kernel {
	k := only(product(), "normal")
	k.Contract = oracles.Contract{Subnormals: oracles.Kept,
		Sums: map[string]oracles.Schedule{"a": oracles.Sequential(), "b": oracles.Sequential()}}
	k.Oracle = func(p *Problem) Answers {
		answers := productOracle(p)
		ulps := 1.0
		for _, s := range p.Contract.Unlike(k.Contract) {
			if s.Key == "sums" || s.Key == "functions" {
				ulps += map[string]float64{"a": 1, "b": 2, "": 4}[s.Name]
			}
		}
		for i := range answers["y"].Budget[0].Error {
			answers["y"].Budget[0].Error[i] *= ulps
		}
		return answers
	}
	return k
}

// off runs the product with y[2, 1] an error of so many times its bound.
func off(times float64) func(metalrun.Dispatch) error {
	return func(d metalrun.Dispatch) error {
		err := runProduct(d)
		m := runnertest.Memory{Dispatch: d}
		want := float64(m.F32(argX, 17)) * float64(m.BF16(argW, 1))
		m.Set(argY, 17, float32(want+times*0x1p-24*math.Abs(want)))
		return err
	}
}

// A failure comes with the declaration that cures it and changes least, or with the
// word that none does.
func TestRemedy(t *testing.T) {
	today := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	order := func(sum string) oracles.Setting { return oracles.Setting{Key: "sums", Name: sum, Value: "any order"} }
	fast := oracles.Setting{Key: "functions", Value: "fast"}
	declared := &Declarations{
		Contracts: []DeclaredContract{{Entry: entryAt("c.toml:7"), Kernel: "product", Own: contracted().Contract}},
	}
	declared.Contracts[0].Own.Subnormals = oracles.MayFlush
	for _, test := range []struct {
		name     string
		run      func(metalrun.Dispatch) error
		today    time.Time
		declared *Declarations
		want     []oracles.Setting // nil: no remedy
		none     bool              // and that is said
		instead  string
	}{
		{"one setting", off(1.8), today, nil, []oracles.Setting{order("a")}, false, ""},
		{"the only one", off(4.5), today, nil, []oracles.Setting{fast}, false, ""},
		{"two settings", off(5.5), today, nil, []oracles.Setting{order("a"), fast}, false, ""},
		{"three settings", off(7.5), today, nil, []oracles.Setting{order("a"), order("b"), fast}, false, ""},
		{"none", off(40), today, nil, nil, true, ""},
		{"beside an exact output that is wrong", andWrongCopy, today, nil, nil, true, ""},
		{"nobody asks", off(1.8), time.Time{}, nil, nil, false, ""},
		{"declared in part", off(1.8), today, declared,
			[]oracles.Setting{order("a"), {Key: "subnormals", Value: "kept"}}, false, "c.toml:7"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := results(t, contracted(), test.run, Options{Today: test.today, Declared: test.declared})[0]
			if r.Status != Fail || r.Failures[0].Check != CheckBound {
				t.Fatalf("%s: %s", r.Status, r.Text())
			}
			f := r.Failures[0]
			if f.NoRemedy != test.none || (f.Remedy != nil) != (test.want != nil) {
				t.Fatalf("remedy %v, none %v", f.Remedy, f.NoRemedy)
			}
			if f.Remedy == nil {
				return
			}
			if f.Remedy.ErrorRatio > 1 || f.Remedy.ErrorRatio < 0.5 {
				t.Errorf("the error would be %g of the bound", f.Remedy.ErrorRatio)
			}
			want := &Remedy{Kernel: "product", Contract: test.want, ErrorRatio: f.Remedy.ErrorRatio,
				Expires: "2027-03-02", Instead: test.instead}
			if diff := cmp.Diff(want, f.Remedy); diff != "" {
				t.Errorf("remedy (-want +got):\n%s", diff)
			}
		})
	}
}

// A failure of something that has no bound is not judged again.
func TestOnlyBoundsHaveRemedies(t *testing.T) {
	exact := func(d metalrun.Dispatch) error {
		err := runProduct(d)
		m := runnertest.Memory{Dispatch: d}
		m.SetBits(argCopy, 5, m.Bits(argCopy, 5)^1<<31)
		return err
	}
	asked := 0
	k := contracted()
	oracle := k.Oracle
	k.Oracle = func(p *Problem) Answers {
		asked++
		return oracle(p)
	}
	r := results(t, k, exact, Options{Today: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)})[0]
	if f := r.Failures[0]; f.Remedy != nil || f.NoRemedy || asked != 1 {
		t.Errorf("asked %d times: %s", asked, r.Text())
	}
}
