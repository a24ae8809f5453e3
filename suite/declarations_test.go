package suite

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
	"metalconform/oracles"
)

// positions reads them as file:line.
func positions(texts ...string) (list []Position) {
	for _, text := range texts {
		var p Position
		if err := p.UnmarshalText([]byte(text)); err != nil {
			panic(err)
		}
		list = append(list, p)
	}
	return list
}

// sentences are what is outdated, as text.
func sentences(list []Outdated) (texts []string) {
	for _, o := range list {
		texts = append(texts, o.String())
	}
	return texts
}

// entryAt is an entry that counts for a long time.
func entryAt(position string) Entry {
	return Entry{Position: positions(position)[0], Reason: "known",
		Expires: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func mustPattern(t *testing.T, text string) Pattern {
	t.Helper()
	p, err := NewPattern(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// oneOver runs the product with y[2, 1] some six times its bound from what it
// has to be.
func oneOver(d metalrun.Dispatch) error {
	err := runProduct(d)
	m := runnertest.Memory{Dispatch: d}
	m.Set(argY, 17, m.F32(argY, 17)*(1+0x1p-21))
	return err
}

// twoOver has another such element.
func twoOver(d metalrun.Dispatch) error {
	err := oneOver(d)
	m := runnertest.Memory{Dispatch: d}
	m.Set(argY, 3, m.F32(argY, 3)*(1+0x1p-21))
	return err
}

// andWrongCopy has a wrong bit in another output.
func andWrongCopy(d metalrun.Dispatch) error {
	err := oneOver(d)
	m := runnertest.Memory{Dispatch: d}
	m.SetBits(argCopy, 5, m.Bits(argCopy, 5)^1<<31)
	return err
}

func TestDeclaredVerdict(t *testing.T) {
	all := mustPattern(t, "product/.*")
	waiver := func(w Waiver) *Declarations {
		w.Entry, w.Cases = entryAt("c.toml:1"), all
		return &Declarations{Waivers: []Waiver{w}}
	}
	expect := func(check Check) *Declarations {
		return &Declarations{Expectations: []Expectation{{entryAt("c.toml:1"), Scope{Cases: all}, check}}}
	}
	tests := []struct {
		name     string
		declared *Declarations
		run      func(metalrun.Dispatch) error
		want     Status
		checks   []Check // of the failures that the result has
		rests    bool    // on the entry
	}{
		{"nothing declared", nil, oneOver, Fail, []Check{CheckBound}, false},
		{"another case",
			&Declarations{Waivers: []Waiver{{Entry: entryAt("c.toml:1"), Scope: Scope{Cases: mustPattern(t, "product")},
				Factor: 100}}}, oneOver, Fail, []Check{CheckBound}, false},

		{"waived", waiver(Waiver{Factor: 100}), oneOver, Waived, []Check{CheckBound}, true},
		{"beyond the factor", waiver(Waiver{Factor: 2}), oneOver, Fail, []Check{CheckBound}, false},
		{"waived for the output", waiver(Waiver{Factor: 100, Output: "y"}), twoOver, Waived, []Check{CheckBound}, true},
		{"waived for another output", waiver(Waiver{Factor: 100, Output: "copy"}), oneOver, Fail, []Check{CheckBound},
			false},
		{"waived for the element", waiver(Waiver{Factor: 100, Output: "y", Element: []int{2, 1}}), oneOver, Waived,
			[]Check{CheckBound}, true},
		{"waived for one element of two", waiver(Waiver{Factor: 100, Output: "y", Element: []int{2, 1}}), twoOver, Fail,
			[]Check{CheckBound}, false},
		{"waived in part", waiver(Waiver{Factor: 100}), andWrongCopy, Fail, []Check{CheckExact}, true},
		{"no need of the waiver", waiver(Waiver{Factor: 100}), runProduct, Pass, nil, false},
		{"not judged", waiver(Waiver{Skip: true}), andWrongCopy, Waived, nil, true},

		{"expected", expect(CheckBound), oneOver, Expected, []Check{CheckBound}, true},
		{"expected to fail by another check", expect(CheckExact), oneOver, Fail, []Check{CheckBound, CheckExpected},
			false},
		{"fails by more than is expected", expect(CheckBound), andWrongCopy, Fail,
			[]Check{CheckBound, CheckExact, CheckExpected}, false},
		{"conforms in spite of it", expect(CheckBound), runProduct, Fail, []Check{CheckExpected}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := results(t, only(product(), "normal"), test.run, Options{Declared: test.declared})[0]
			var checks []Check
			for _, f := range r.Failures {
				checks = append(checks, f.Check)
			}
			if r.Status != test.want || !slices.Equal(checks, test.checks) {
				t.Errorf("got %s %v, want %s %v\n%s", r.Status, checks, test.want, test.checks, r.Text())
			}
			if rests := slices.Equal(r.Declared, positions("c.toml:1")); rests != test.rests {
				t.Errorf("the verdict rests on %v", r.Declared)
			}
			if test.rests && !strings.Contains(strings.Join(r.Notes, "\n"), "(c.toml:1, until 2100-01-01: known)") {
				t.Errorf("notes %q do not give the reason", r.Notes)
			}
		})
	}
}

// Neither an absent kernel nor one that cannot be judged is what a declaration
// is about.
func TestDeclarationsOfUnjudged(t *testing.T) {
	d := &Declarations{
		Expectations: []Expectation{{entryAt("c.toml:1"), Scope{Cases: mustPattern(t, ".*")}, CheckBound}},
		Waivers:      []Waiver{{Entry: entryAt("c.toml:5"), Scope: Scope{Cases: mustPattern(t, ".*")}, Factor: 9}},
	}
	for text, want := range map[string]Status{"kernel other": Skip, "product": Skip} {
		r := results(t, only(product(), "normal"), runProduct,
			Options{Declared: d, Shaders: shadersOf(t, map[string]string{"a.metal": text})})[0]
		if r.Status != want || r.Declared != nil {
			t.Errorf("%q: %s resting on %v, want %s", text, r.Status, r.Declared, want)
		}
	}
}

func TestDeclarationsExpire(t *testing.T) {
	d := &Declarations{
		Contracts:    []DeclaredContract{{Entry: entryAt("c.toml:1")}},
		Expectations: []Expectation{{Entry: entryAt("c.toml:5")}},
		Waivers:      []Waiver{{Entry: entryAt("c.toml:9")}},
	}
	last := time.Date(2030, 2, 28, 0, 0, 0, 0, time.UTC)
	d.Contracts[0].Expires, d.Expectations[0].Expires, d.Waivers[0].Expires = last, last, last
	counting, expired := d.On(last)
	if diff := cmp.Diff(d, counting, cmp.Comparer(func(a, b *regexp.Regexp) bool { return a == b })); diff != "" ||
		expired != nil {
		t.Errorf("on the last day %q have expired (-want +got):\n%s", expired, diff)
	}
	counting, expired = d.On(last.AddDate(0, 0, 1))
	if diff := cmp.Diff(&Declarations{}, counting); diff != "" {
		t.Errorf("the day after (-want +got):\n%s", diff)
	}
	want := []string{
		"c.toml:1: expired, its last day was 2030-02-28: known",
		"c.toml:5: expired, its last day was 2030-02-28: known",
		"c.toml:9: expired, its last day was 2030-02-28: known",
	}
	if diff := cmp.Diff(want, sentences(expired)); diff != "" {
		t.Errorf("sentences (-want +got):\n%s", diff)
	}
	var none *Declarations
	if counting, expired := none.On(last); counting != nil || expired != nil {
		t.Errorf("without declarations %v count and %q have expired", counting, expired)
	}
}

// A declared contract reaches the oracle and the result, and leaves the
// catalogue as it was.
func TestDeclaredContract(t *testing.T) {
	k := only(product(), "normal")
	var seen oracles.Contract
	k.Oracle = func(p *Problem) Answers {
		seen = p.Contract
		return productOracle(p)
	}
	declared := oracles.Contract{Subnormals: oracles.Kept}
	d := &Declarations{
		Contracts: []DeclaredContract{{Entry: entryAt("c.toml:1"), Kernel: "product", Contract: declared}},
	}
	families := []Family{{Name: "test", Kernels: []Kernel{k}}}
	changed := d.Families(families)
	r := results(t, changed[0].Kernels[0], runProduct, Options{Declared: d})[0]
	if seen.String() != declared.String() || r.Status != Pass {
		t.Errorf("%s under the contract %s, want %s", r.Status, seen, declared)
	}
	if want := []JudgedContract{{positions("c.toml:1")[0], "product",
		"f32, precise functions, subnormals kept"}}; !slices.Equal(r.Contracts, want) {
		t.Errorf("contracts %v, want %v", r.Contracts, want)
	}
	if got := families[0].Kernels[0].Contract.Subnormals; got != oracles.MayFlush {
		t.Errorf("the catalogue has come to say: %s", got)
	}
}

func TestUnneeded(t *testing.T) {
	case1, case2 := Case{Name: "product/n=1", Kernel: &Kernel{Name: "product"}},
		Case{Name: "product/n=2", Kernel: &Kernel{Name: "product"}}
	pipeline := Case{Name: "pipeline/n=1", Kernel: &Kernel{Name: "pipeline"},
		Pipeline: &Pipeline{Kernels: []string{"product"}}}
	catalogue := []Case{case1, case2, pipeline}
	both, one := mustPattern(t, "product/.*"), mustPattern(t, "product/n=1")
	d := &Declarations{
		Contracts: []DeclaredContract{
			{Entry: entryAt("c.toml:1"), Kernel: "product", Contract: oracles.Contract{Subnormals: oracles.Kept}},
			{Entry: entryAt("c.toml:2"), Kernel: "product"},
		},
		Expectations: []Expectation{{entryAt("c.toml:3"), Scope{Cases: one}, CheckBound}},
		Waivers: []Waiver{{Entry: entryAt("c.toml:4"), Scope: Scope{Cases: both}, Factor: 2},
			{Entry: entryAt("c.toml:5"), Scope: Scope{Cases: one}, Factor: 2}},
	}
	result := func(c Case, s Status, rests ...string) Result {
		return Result{Case: c.Name, Status: s, Declared: positions(rests...)}
	}
	const (
		own       = "c.toml:2: no longer needed: it is the contract that the catalogue has for product"
		waivesTwo = "c.toml:4: no longer needed: every case that it is about passes without it"
		waivesOne = "c.toml:5: no longer needed: every case that it is about passes without it"
	)
	absent := func(at ...string) (list []string) {
		for _, p := range at {
			list = append(list, p+": the shaders have no kernel that this is about")
		}
		return list
	}
	for name, test := range map[string]struct {
		results []Result
		want    []string
	}{
		"all": {[]Result{result(case1, Pass), result(case2, Pass), result(pipeline, Pass)},
			[]string{own, waivesTwo, waivesOne}},
		"all but a pipeline": {[]Result{result(case1, Pass), result(case2, Pass)}, []string{waivesTwo, waivesOne}},
		"part":               {[]Result{result(case1, Pass)}, []string{waivesOne}},
		"another part":       {[]Result{result(case2, Pass)}, nil},
		"nothing":            {nil, nil},
		"one is needed":      {[]Result{result(case1, Waived, "c.toml:4"), result(case2, Pass)}, []string{waivesOne}},
		"both are needed":    {[]Result{result(case1, Waived, "c.toml:5"), result(case2, Waived, "c.toml:4")}, nil},
		"absent": {[]Result{result(case1, Skip), result(case2, Skip), result(pipeline, Skip)},
			absent("c.toml:1", "c.toml:2", "c.toml:3", "c.toml:4", "c.toml:5")},
		"absent in a part": {[]Result{result(case1, Skip)}, absent("c.toml:3", "c.toml:5")},
	} {
		if diff := cmp.Diff(test.want,
			sentences(d.Unneeded(func(Set) []Case { return catalogue }, test.results))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The whole of a name has to match, alternatives too.
func TestPattern(t *testing.T) {
	for text, want := range map[string]bool{
		"a/n=1/input=normal": true, "a/.*": true, "b|a/n=1/input=normal": true, "a/n=1/input": false, "a|b": false,
		"n=1": false,
	} {
		if got := mustPattern(t, text).MatchString("a/n=1/input=normal"); got != want {
			t.Errorf("%q: matches %v, want %v", text, got, want)
		}
	}
	if _, err := NewPattern("a("); err == nil || strings.Contains(err.Error(), "?:") {
		t.Errorf("error %v, want one about the pattern as it was written", err)
	}
}
