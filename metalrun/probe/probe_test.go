package probe_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/probe"
	"metalconform/metalrun/sim"
)

// answers are those to the questions about arithmetic, in order.
type answers struct {
	float, half, bfloat    string // subnormals
	sum, difference, apart string // contraction
	halfSum, simd, matrix  string
}

func measured(t *testing.T, r metalrun.Runner) answers {
	t.Helper()
	report, err := probe.Device(r)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range report.Measured {
		got = append(got, a.Answer)
	}
	if got[0] != "to nearest, ties to even" {
		t.Errorf("rounding: %s", got[0])
	}
	if last := got[len(got)-1]; last != "obeyed" && last != probe.PragmaUnseen {
		t.Errorf("the pragma of safe math: %s", last)
	}
	return answers{got[1], got[2], got[3], got[4], got[5], got[6], got[7], got[8], got[9]}
}

// TestSemantics has each semantics of the simulator probe as what it is.
func TestSemantics(t *testing.T) {
	const kept, flushed, rounded, fused = "kept", "flushed", "product rounded", "fused"
	plain := answers{kept, kept, kept, rounded, rounded, rounded, rounded, "ascending",
		"ascending from c, products rounded"}
	apple := answers{flushed, kept, flushed, fused, fused, rounded, fused, "ascending", "ascending from c, fused"}
	butterfly, tree := plain, plain
	butterfly.simd, tree.simd = "distances 16, 8, 4, 2, 1", "distances 1, 2, 4, 8, 16"
	for _, test := range []struct {
		semantics sim.Semantics
		want      answers
	}{
		{sim.Semantics{}, plain},
		{sim.Semantics{Check: true}, plain},
		{sim.Apple(), apple},
		{sim.Semantics{SumOrder: sim.SumButterfly}, butterfly},
		{sim.Semantics{SumOrder: sim.SumTree}, tree},
	} {
		if diff := cmp.Diff(test.want, measured(t, sim.New(test.semantics)), cmp.AllowUnexported(answers{})); diff !=
			"" {
			t.Errorf("%s semantics (-want +got):\n%s", test.semantics, diff)
		}
	}
}

// TestAdversaries has both devices of a pair: what one does the other leaves, in every
// expression for itself, and the orders of their sums are no known ones.
func TestAdversaries(t *testing.T) {
	device := func(number int) answers {
		return measured(t, sim.New(sim.Semantics{Adversary: &sim.Adversary{Seed: 1, Number: number, Choices: -1}}))
	}
	one, two := device(1), device(2)
	for _, a := range []answers{one, two} {
		if a.simd != "another order" || a.matrix != "another order" || a.apart != "product rounded" ||
			a.float != a.bfloat {
			t.Errorf("an adversary probes as %+v", a)
		}
	}
	for _, pair := range [][2]string{{one.float, two.float}, {one.half, two.half}, {one.sum, two.sum},
		{one.difference, two.difference}, {one.halfSum, two.halfSum}} {
		if pair[0] == pair[1] {
			t.Errorf("both devices of a pair: %s", pair[0])
		}
	}
}

// TestReport looks at what a simulator has.
func TestReport(t *testing.T) {
	report, err := probe.Device(sim.New(sim.Semantics{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]probe.Capability{report.Languages, report.Modes, report.Features} {
		for _, x := range list {
			if !x.Has || x.Why != "" {
				t.Errorf("%s: %s", x.Name, x.Why)
			}
		}
		if len(list) < 5 {
			t.Errorf("%d trials", len(list))
		}
	}
	if f := report.Facts; f.Width != 32 || f.Threads != 1024 || f.ThreadgroupMemory != 32<<10 {
		t.Errorf("facts %+v", f)
	}
}

// troubled is a simulator whose compiler refuses everything for one reason.
type troubled struct {
	metalrun.Runner
	err error
}

func (r troubled) Compile(*metalrun.Program) (metalrun.Library, error) { return nil, r.err }

// TestBrief: the reason of a refusal is one line, however much a compiler says.
func TestBrief(t *testing.T) {
	valid := strings.Repeat("note: use 'metal3.1' for 'Metal 3.1' standard\n", 50)
	for _, test := range []struct{ log, want string }{
		{"no", "no"},
		{"compiling probe.metal: \nerror: invalid value 'metal4.0' in '-std=metal4.0'\n" + valid,
			"error: invalid value 'metal4.0' in '-std=metal4.0'"},
		{"refused\n" + valid, "refused"},
		{strings.Repeat("é", 400), strings.Repeat("é", 150) + "…"},
	} {
		report, err := probe.Device(troubled{sim.New(sim.Semantics{}), errors.New(test.log)})
		if err != nil || report.Languages[0].Why != test.want {
			t.Errorf("%q, %v, want %q", report.Languages[0].Why, err, test.want)
		}
	}
}

// TestTrouble has no answers to a probe, and a device that ends it.
func TestTrouble(t *testing.T) {
	report, err := probe.Device(troubled{sim.New(sim.Semantics{}), errors.New("no")})
	if err != nil {
		t.Fatal(err)
	}
	if x := report.Features[0]; x.Has || x.Why != "no" {
		t.Errorf("%+v", x)
	}
	for _, a := range report.Measured {
		if a.Answer != "no answer: no" {
			t.Errorf("%s: %s", a.Question, a.Answer)
		}
	}
	if _, err := probe.Device(troubled{sim.New(sim.Semantics{}), metalrun.ErrUnusable}); !errors.Is(err,
		metalrun.ErrUnusable) {
		t.Errorf("a device that is unusable: %v", err)
	}
}
