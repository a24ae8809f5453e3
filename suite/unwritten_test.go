package suite

import (
	"fmt"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
)

// TestWrittenOrNot tells an element that a kernel leaves out from a wrong one with the bits that outputs hold before
// the launch, in every type, on a device that observes accesses and on one that does not. Only the first can tell an
// element that is stored again as it was.
func TestWrittenOrNot(t *testing.T) {
	const n = 6 // elements, of which 5 is wrong or left out
	of := map[Type]struct{ msl, held string }{
		I8: {"char", "-1"}, U8: {"uchar", "255"}, I16: {"short", "-27"}, U16: {"ushort", "65509"},
		I32: {"int", "-1703963"}, U32: {"uint", "4293263333u"}, I64: {"long", "-7318461065330715"},
		F32: {"float", "as_type<float>(4293263333u)"}, F16: {"half", "as_type<half>(ushort(65509))"},
		BF16: {"bfloat", "as_type<bfloat>(ushort(65509))"},
	}
	for typ, is := range of {
		for _, device := range []struct {
			name   string
			runner metalrun.Runner
		}{{"checked", sim.New(sim.Semantics{Check: true})}, {"unchecked", sim.New(sim.Semantics{})}} {
			for _, test := range []struct {
				name, store string
				unwritten   bool
				checked     bool // only a device that observes accesses can tell
			}{
				{"wrong", "y[i] = i == 5 ? " + is.msl + "(" + is.held + ") : " + is.msl + "(i);", false, false},
				{"left out", "if (i != 5) { y[i] = " + is.msl + "(i); }", true, false},
				{"stored again", "if (i != 5) { y[i] = " + is.msl + "(i); } else { y[i] = y[i]; }", false, true},
			} {
				if test.checked && device.name != "checked" {
					continue
				}
				t.Run(fmt.Sprint(typ, "/", device.name, "/", test.name), func(t *testing.T) {
					k := Kernel{Name: "k", Axes: []Axis{wide}, Args: Args{Out("y", typ, wide)}, Grid: Flat(wide, 32),
						Sweep: Sweep{Shapes: []Shape{{wide: n}}},
						Oracle: func(*Problem) Answers {
							return Answers{"y": {Want: []float64{0, 1, 2, 3, 4, 5}, Exact: true}}
						}}
					s, err := OpenShaders(files(map[string]string{"k.metal": "#include <metal_stdlib>\n" +
						"using namespace metal;\nkernel void k(device " + is.msl +
						"* y, uint i [[thread_position_in_grid]]) { if (i < 6) { " + test.store + " } }"}),
						metalrun.Analyse)
					if err != nil {
						t.Fatal(err)
					}
					c := Cases([]Family{{Name: "f", Kernels: []Kernel{k}}}, Quick)[0]
					r := Verdict(Options{}, c, func(r *Result) { Judge(device.runner, Options{Shaders: s}, c, r) })
					said := strings.Contains(r.Text(), "y[5] was never written")
					if r.Status != Fail || said != test.unwritten {
						t.Errorf("%s: %s", r.Status, r.Text())
					}
				})
			}
		}
	}
}

// TestUnknownIsNotUnwritten: where the second launch fails, nothing is known, and the value is wrong as it stands.
func TestUnknownIsNotUnwritten(t *testing.T) {
	b, err := poisoned(Out("y", I8, Fixed(2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	failed := &unwritten{launch: func() []*buffer { return nil }}
	for name, left := range map[string]*unwritten{"not asked": nil, "failed": failed} {
		o := output{buffer: b, answer: oracles.Answer{Want: []float64{-27, 5}, Exact: true}, left: left}
		failures, err := o.compare(&figures{}, nil)
		if err != nil || len(failures) != 1 || failures[0].Check != CheckExact {
			t.Errorf("%s: %v, %v, want y[1] = -1 to be wrong", name, failures, err)
		}
	}
}
