package reports

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// A change names both verdicts, and errors only where both are fractions of a bound.
func TestChangeText(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		change Change
		want   string
	}{
		{Change{Was: suite.Pass, Is: suite.Fail, Before: 0.5, After: 2},
			"k/n=1: fail, was pass; 2.00 of bound, was 0.500"},
		{Change{Was: suite.Pass, Is: suite.Fail, Before: 0.992, After: inf}, "k/n=1: fail, was pass"},
		{Change{Was: suite.Fail, Is: suite.Pass, Before: inf, After: 0.1}, "k/n=1: pass, was fail"},
		{Change{Was: suite.Pass, Is: suite.Skip, Before: 0.5}, "k/n=1: skip, was pass"},
		{Change{Was: suite.Pass, Is: suite.Error, Before: 0.5}, "k/n=1: error, was pass"},
		{Change{Is: suite.Fail, After: 7}, "k/n=1: fail, not in the baseline"},
		{Change{Was: suite.Fail, Is: suite.Fail, Before: 3, After: 4, By: []string{"race", "bound of out"}},
			"k/n=1: fail for another reason than before: race, bound of out; 4.00 of bound, was 3.00"},
		{Change{Was: suite.Pass, Is: suite.Waived, Before: 0.5, After: 0.5}, "k/n=1: waived, was pass"},
	} {
		test.change.Case, test.change.Kernel = "k/n=1", "k"
		if got := test.change.String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// Cases of a kernel that changed in the same way are one line: a kernel that was renamed with its specification is no
// list of all its cases.
func TestChangesAreFolded(t *testing.T) {
	side := func(name string, n int, s suite.Status) Set {
		set := Set{Run: Run{Ending: &Ending{}, Header: Header{Planned: n}}}
		for i := range n {
			set.Results = append(set.Results, suite.Result{Case: fmt.Sprintf("%s/n=%d", name, i), Kernel: name,
				Status:   s,
				Elements: 1})
		}
		return set
	}
	for _, test := range []struct {
		name       string
		base, head Set
		want       string
	}{
		{"renamed with its specification", side("new", 23, suite.Skip), side("new", 23, suite.Pass),
			"other verdicts: 23\n\tnew: pass, was skip, in 23 cases\n"},
		{"few cases", side("new", 2, suite.Skip), side("new", 2, suite.Pass),
			"other verdicts: 2\n\tnew/n=0: pass, was skip\n\tnew/n=1: pass, was skip\n"},
		{"fixed", side("k", 4, suite.Fail), side("k", 4, suite.Pass), "fixed: 4\n\tk: pass, was fail, in 4 cases\n"},
		{"failing", side("k", 4, suite.Pass), side("k", 4, suite.Fail),
			"new failures: 4\n\tk: fail, was pass, in 4 cases\n"},
		{"another kernel", side("old", 23, suite.Pass), side("new", 23, suite.Pass), "no longer judged: 1\n\told\n" +
			"added: 23\n\t23 cases of new, such as new/n=0\nremoved: 23\n\t23 cases of old, such as old/n=0\n"},
		{"the same", side("k", 4, suite.Pass), side("k", 4, suite.Pass), ""},
	} {
		var b strings.Builder
		DefaultStyle.groups(&b, Compare(test.base, test.head, DefaultPolicy()))
		if diff := cmp.Diff(test.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// What a comparison cannot decide is listed only where a change is significant.
func TestUndecidedRows(t *testing.T) {
	list := func(base, head spread) string {
		var b strings.Builder
		DefaultStyle.groups(&b, Compare(night{seed: 1, kernels: map[string]spread{"norm": base}}.set(),
			night{seed: 2, kernels: map[string]spread{"norm": head}}.set(), DefaultPolicy()))
		return b.String()
	}
	if text := list(spread{cases: 5, level: 0.02}, spread{cases: 5, level: 0.0201}); strings.Contains(text, "decided") {
		t.Errorf("an insignificant change is listed:\n%s", text)
	}
	if text := list(spread{cases: 40, level: 0.02, lacks: true}, spread{cases: 40,
		level: 0.02}); !strings.Contains(text,
		"accuracy not decided: 1\n\tnorm: base does not record") {
		t.Errorf("nobody says why nothing was compared:\n%s", text)
	}
}

// No figure stands in a row that says nothing: no cosine of integers, none of 0 beside a pass, no infinite error.
func TestMeaninglessFigures(t *testing.T) {
	of := func(typeName string, ratio, cosine float64, s suite.Status) suite.Result {
		r := suite.Result{Case: "k/n=1", Kernel: "k", Status: s, Elements: 3, ErrorRatio: ratio,
			Outputs: measured(ratio, 1, cosine)}
		r.Outputs[0].Type = typeName
		return r
	}
	for _, test := range []struct {
		name    string
		results []suite.Result
		want    string
	}{
		{"floats", []suite.Result{of("f32", 0.5, 0.25, suite.Fail)}, "0.500 1.00 0.250000000"},
		{"integers", []suite.Result{of("i8", 0.5, 0.25, suite.Fail)}, "0.500 1.00 -"},
		{"integers and floats", []suite.Result{of("i8", 0, 0, suite.Pass), of("bf16", 0.5, 0.75, suite.Pass)},
			"0.500 1.00 0.750000000"},
		{"a vector of zeros that passes", []suite.Result{of("f32", 0, 0, suite.Pass)}, "0 1.00 -"},
		{"zeros that fail", []suite.Result{of("f32", 2, 0, suite.Fail)}, "2.00 1.00 0.000000000"},
		{"what has to be exact", []suite.Result{of("f32", math.MaxFloat64, 0.5, suite.Fail)}, "- 1.00 0.500000000"},
	} {
		table := NewTable(test.results, few())
		if got := strings.Join(table.values(table.Rows[0]), " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A warning is one line for each cause, with the number of cases, lines and kernels.
func TestWarningsAreFolded(t *testing.T) {
	at := func(kernel, name string, texts ...string) suite.Result {
		return suite.Result{Kernel: kernel, Case: kernel + "/" + name, Status: suite.Pass, Warnings: texts}
	}
	const fast = ": fast::exp is less accurate than promised\n\tin k\n\tdeclare it"
	all := []suite.Result{at("a", "n=1", "k.metal:3:5"+fast, "k.metal:3:9"+fast, "k.metal:8:9"+fast),
		at("a", "n=2", "k.metal:3:5"+fast), at("b", "n=1", "k.metal:9:5"+fast),
		at("b", "n=2", "k.metal:9:5: race: write and write of bytes 0 to 3 of x", "k.metal:9:5: race: write and "+
			"write of bytes 4 to 7 of x"), at("c", "n=1", "plain"), at("d", "n=1", "plain")}
	var b strings.Builder
	if err := DefaultStyle.Warnings(&b, NewTable(all, nil)); err != nil {
		t.Fatal(err)
	}
	want := `warning a: k.metal:3:5: fast::exp is less accurate than promised (3 cases, 3 lines in 2 kernels)
warning b: k.metal:9:5: race: write and write of bytes 0 to 3 of x (1 case)
warning c: plain (2 cases of 2 kernels)

`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	b.Reset()
	if err := (Style{MaxFailures: 9, Verbose: true}).Warnings(&b, NewTable(all[:1], nil)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(b.String(), "(1 case, 2 lines)\n\tin k\n\tdeclare it\n\n") {
		t.Errorf("what supports a warning is not below it:\n%s", b.String())
	}
}
