package suite

import (
	"math"
	"strings"
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
			if s.Key == "sums" || s.Key == "forms" {
				ulps += map[string]float64{"a": 1, "b": 2, "softplus": 4}[s.Name]
			}
		}
		for i := range answers["y"].Budget[0].Error {
			answers["y"].Budget[0].Error[i] *= ulps
		}
		return answers
	}
	return k
}

// coarseProduct is the product in MSL with seven detours, which give the same in exact arithmetic: a device may lose
// eight units in the last place.
const coarseProduct = `kernel void product(device const float* x, device const bfloat* w, device float* y,
    device float* copy, device float* hits, constant uint& n, constant uint2& params,
    uint2 at [[thread_position_in_grid]])
{
    const uint i = at.y * n + at.x;
    float p = x[i] * w[at.x];
    for (uint k = 0; k < 7; k++) {
        p = p * 1.5f / 1.5f;
    }
    y[i] = p;
    copy[i] = x[i];
    if (at.y == 0 && at.x < n / 2) {
        hits[at.x] += 1.0f;
    }
}
`

// coarseShaders have it.
func coarseShaders(t testing.TB) *Shaders {
	t.Helper()
	s, err := OpenShaders(files(map[string]string{"product.metal": coarseProduct}), metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	return s
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
	softplus := oracles.Setting{Key: "forms", Name: "softplus", Value: "log"}
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
		{"the only one", off(4.5), today, nil, []oracles.Setting{softplus}, false, ""},
		{"two settings", off(5.5), today, nil, []oracles.Setting{order("a"), softplus}, false, ""},
		{"three settings", off(7.5), today, nil, []oracles.Setting{order("a"), order("b"), softplus}, false, ""},
		{"none", off(40), today, nil, nil, true, ""},
		{"beside an exact output that is wrong", andWrongCopy, today, nil, nil, true, ""},
		{"nobody asks", off(1.8), time.Time{}, nil, nil, false, ""},
		{"declared in part", off(1.8), today, declared,
			[]oracles.Setting{order("a"), {Key: "subnormals", Value: "kept"}}, false, "c.toml:7"},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := Options{Today: test.today, Declared: test.declared, Shaders: coarseShaders(t),
				Exact: exactDevices()}
			r := results(t, contracted(), test.run, opts)[0]
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

// A declaration is for lost digits: none is offered for another formula, whose error some contract would cover, and
// none where exact execution was not asked.
func TestRemedyNeedsTheFormula(t *testing.T) {
	today := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	another := strings.Replace(coarseProduct, "x[i] * w[at.x]", "x[i] * w[at.x] * 1.000001f", 1)
	for _, test := range []struct {
		name   string
		source string
		exact  *Exact
		want   bool
	}{
		{"right", coarseProduct, exactDevices(), true},
		{"another formula", another, exactDevices(), false},
		{"not asked", coarseProduct, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := OpenShaders(files(map[string]string{"product.metal": test.source}), metalrun.Analyse)
			if err != nil {
				t.Fatal(err)
			}
			r := results(t, contracted(), off(1.8), Options{Today: today, Shaders: s, Exact: test.exact})[0]
			for _, f := range r.Failures {
				if f.Check == CheckBound && (f.Remedy != nil) != test.want {
					t.Errorf("remedy %v: %s", f.Remedy, f)
				}
			}
			if r.Status != Fail {
				t.Errorf("%s: %s", r.Status, r.Text())
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
