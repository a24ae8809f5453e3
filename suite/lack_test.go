package suite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/runnertest"
)

// A kernel that the shaders lack is said to be absent, with the entry points that it may
// have been renamed to: by its name, or by the names of its arguments.
func TestLacks(t *testing.T) {
	kernel := Case{Kernel: new(product())}
	pipeline := Case{Kernel: &Kernel{Name: "twice"}, Pipeline: &Pipeline{Kernels: []string{"product"}},
		kernels: map[string]*Kernel{"product": kernel.Kernel}}
	const absent = "absent: no file exports a kernel of that name"
	for _, test := range []struct {
		name  string
		texts map[string]string
		c     Case
		want  *Lack
	}{
		{"there", map[string]string{"a.metal": "kernel product"}, kernel, nil},
		{"there for a pipeline", map[string]string{"a.metal": "kernel product"}, pipeline, nil},
		{"a name that is near", map[string]string{"a.metal": "kernel other\nkernel prodct"}, kernel,
			&Lack{Reason: absent, Near: []string{"prodct (a.metal:2)", "other (a.metal:1)"}}},
		{"arguments of the same names", map[string]string{"a.metal": "kernel scale_columns"}, kernel,
			&Lack{Reason: absent, Near: []string{"scale_columns (a.metal:1)"}}},
		{"another kernel of the catalogue", map[string]string{"a.metal": "kernel products"}, kernel,
			&Lack{Reason: absent}},
		{"nothing alike", map[string]string{"a.metal": "kernel\nvoid copy(device float* x [[buffer(0)]]) {}"}, kernel,
			&Lack{Reason: absent}},
		{"a pipeline", map[string]string{"a.metal": "kernel\nvoid copy(device float* x [[buffer(0)]]) {}"}, pipeline,
			&Lack{Reason: "product is " + absent}},
		{"other arguments", map[string]string{"a.metal": "kernel\nvoid product(device float* x [[buffer(0)]]) {}"},
			Case{Kernel: &Kernel{Name: "product"}},
			&Lack{Reason: "a.metal:1:1: [[buffer(0)]] is x, the specification has 0 arguments"}},
		{"a file that does not compile", map[string]string{"a.metal": "oops product"}, kernel,
			&Lack{Reason: `a.metal does not compile: a.metal:1:1: unknown type name 'oops'`, Uncompiled: "a.metal"}},
	} {
		if diff := cmp.Diff(test.want, shadersOf(t, test.texts).Lacks(test.c, []string{"product", "products"})); diff !=
			"" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Excluded files are as good as not there, and an exclusion that changes nothing is not
// needed.
func TestExclusions(t *testing.T) {
	catalogue := []Case{{Kernel: new(product())}}
	for _, test := range []struct {
		name    string
		texts   map[string]string
		files   string
		names   []string // entry points that are left
		needed  bool
		refused int // files that are left and do not compile
	}{
		{"one that does not compile", map[string]string{"a.metal": "kernel product", "b/c.metal": "oops"}, "b/.*",
			[]string{"product"}, true, 0},
		{"another one", map[string]string{"a.metal": "kernel product", "b/c.metal": "oops", "d.metal": "oops"},
			"d.metal", []string{"product"}, true, 1},
		{"one of two kernels of a name", map[string]string{"a.metal": "kernel product", "b.metal": "kernel product"},
			"b.metal", []string{"product"}, true, 0},
		{"one that compiles", map[string]string{"a.metal": "kernel product", "b.metal": "kernel other"}, "b.metal",
			[]string{"product"}, false, 0},
		{"none", map[string]string{"a.metal": "kernel product"}, "b.metal", []string{"product"}, false, 0},
	} {
		s := shadersOf(t, test.texts)
		d := &Declarations{Exclusions: []Exclusion{{entryAt("c.toml:4"), mustPattern(t, test.files)}}}
		s.Exclude(d)
		r := &runnertest.Runner{}
		if diff := cmp.Diff(test.names, s.Names()); diff != "" {
			t.Errorf("%s: entry points (-want +got):\n%s", test.name, diff)
		}
		if list, err := s.Compile(r, []Case{{Kernel: &Kernel{}}}); len(list) != test.refused || err != nil {
			t.Errorf("%s: %d files do not compile, %v, want %d", test.name, len(list), err, test.refused)
		}
		var want []string
		if !test.needed {
			want = []string{"c.toml:4: no longer needed: no file that it names would fail, or be judged, without it"}
		}
		if diff := cmp.Diff(want, sentences(s.Idle(d, r, catalogue))); diff != "" {
			t.Errorf("%s: idle (-want +got):\n%s", test.name, diff)
		}
	}
}

// What is declared to be absent is noted where it is, and contradicted where it is not.
func TestAbsences(t *testing.T) {
	d := &Declarations{Absences: []Absence{{entryAt("c.toml:2"), mustPattern(t, "prod.*")}}}
	k := only(product(), "normal")
	gone := shadersOf(t, map[string]string{"a.metal": "kernel other"})
	r := results(t, k, runProduct, Options{Shaders: gone, Declared: d})[0]
	if diff := cmp.Diff([]string{"absent, as is declared (c.toml:2, until 2100-01-01: known)"}, r.Notes); r.Status !=
		Skip || diff != "" {
		t.Errorf("%s, notes (-want +got):\n%s", r.Status, diff)
	}
	catalogue := []Case{{Kernel: &k}}
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"gone": {"kernel other", nil},
		"there": {"kernel product",
			[]string{"c.toml:2: no longer true: a.metal has the kernel product"}},
		"in a file that is not sound": {"oops product",
			[]string{"c.toml:2: no longer true: a.metal has the kernel product"}},
		"in one that does not have it": {"oops", nil},
	} {
		if diff := cmp.Diff(test.want,
			sentences(d.Present(shadersOf(t, map[string]string{"a.metal": test.text}), catalogue))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
