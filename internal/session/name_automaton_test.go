package session

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalconform/suite"
	"metalconform/suite/packs"
)

// TestNameAutomaton asks about templates of names. The answers are those of the names that a template stands for.
func TestNameAutomaton(t *testing.T) {
	const n, any = suite.AnySize, suite.AnyText
	for _, test := range []struct {
		pattern, template string
		may               bool
	}{
		{"^rope/", "rope/" + any, true},
		{"^rope/", "rope_norm/" + any, false},
		{"^(rope|norm)_f32/rows=2/", "norm_f32/" + any, true},
		{"^(rope|norm)_f32/rows=2/", "norm_f16/" + any, false},
		{"^a/|^b/", "c/" + any, false},
		{"rope", "norm/" + any, true}, // an input may be called so
		{"rope", "norm/rows=" + n + "/input=normal", false},
		{"rope", "a_rope/rows=" + n + "/input=normal", true},
		{"rows=17/", "a/rows=" + n + "/input=normal", true},
		{"rows=1[a-z]/", "a/rows=" + n + "/input=normal", false},
		{"rows=1+/n=2{3}/", "a/rows=" + n + "/n=" + n + "/input=normal", true},
		{"=0x", "a/rows=" + n + "/input=normal", false},
		{"^a/rows=17/input=normal$", "a/rows=" + n + "/input=normal", true},
		{"^a/rows=17/input=normal$", "a/rows=" + n + "/input=normal_2", false},
		{"(?i)NORMAL$", "a/rows=" + n + "/input=normal", true},
		{`\bnan\b`, "a/rows=" + n + "/input=nan", true},
		{`\bnan\b`, "a/rows=" + n + "/input=nan_1", false},
		{"", "a/" + any, true},
		{"$", "a/" + any, true},
		{"^$", "a/" + any, false},
	} {
		if got := newNameAutomaton(test.pattern).may(test.template); got != test.may {
			t.Errorf("%q may match %q: %v", test.pattern, test.template, got)
		}
	}
}

// TestNameAutomatonAsRegexp compares the automaton with package regexp on whole names.
func TestNameAutomatonAsRegexp(t *testing.T) {
	names := []string{"a/n=1/input=normal", "ab/n=12/m=3/input=nan_1", "b_f32/input=ties", ""}
	for _, text := range []string{"a", "^a", "a$", "b.*nan", `\d\d`, `n=(1|2)/`, "^ab?/n", `\Bf32\b`, "s$|^b", "x*",
		"[^a]b",
		"(?:a/n=1/){2}", "n=1/input"} {
		a, whole := newNameAutomaton(text), regexp.MustCompile(text)
		for _, name := range names {
			if got := a.may(name); got != whole.MatchString(name) {
				t.Errorf("%q matches %q: %v", text, name, got)
			}
		}
	}
}

// TestCasesNamed: what is left out has no case that the pattern matches.
func TestCasesNamed(t *testing.T) {
	p, err := packs.Read("mlx-native", regexp.MustCompile("^(rope|softmax|silu|l2|argmax)").MatchString)
	if err != nil || len(p.Families) == 0 {
		t.Fatal(p.Kernels, err)
	}
	all := suite.Cases(p.Families, suite.Full)
	first := p.Families[0].Kernels[0].Name
	for _, text := range []string{"^" + first + "/", "soft", "input=nan", "=1/", "=33/.*normal$",
		"x/", "unread", "refused"} {
		run := Pattern{regexp.MustCompile(text)}
		some := suite.CasesNamed(p.Families, suite.Full, run.names(nil))
		var want, got []string
		for _, c := range all {
			if run.MatchString(c.Name) {
				want = append(want, c.Name)
			}
		}
		for _, c := range some {
			if run.MatchString(c.Name) {
				got = append(got, c.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %d cases, want %d", text, len(got), len(want))
		}
		if text[0] == '^' && len(some) == len(all) {
			t.Errorf("%q leaves out nothing of %d cases", text, len(all))
		}
	}
}

// A pattern with very many states is answered all the same.
func TestNameAutomatonForgets(t *testing.T) {
	a := newNameAutomaton("a.{12}b$")
	for i := range 3000 {
		name := strings.NewReplacer("0", "a", "1", "b").Replace(fmt.Sprintf("%016b", i*21))
		if want := name[len(name)-1] == 'b' && name[len(name)-14] == 'a'; a.may(name) != want {
			t.Fatalf("%s: want %v", name, want)
		}
	}
	if len(a.states) > mostNameStates {
		t.Errorf("%d states", len(a.states))
	}
}
