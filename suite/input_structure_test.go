package suite

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// filled are the elements of argument a in a family.
func filled(k Kernel, family, a string) []float64 {
	inputs := k.Args.Structured(k.Sweep.Inputs)
	at := slices.IndexFunc(inputs, func(in Input) bool { return in.Name == family })
	arg, _ := k.Args.Find(a)
	x := make([]float64, arg.Count(k.Sweep.Probes[0]))
	inputs[at].Fills[a](Generator("case", a, 1), k.Sweep.Probes[0], x)
	return x
}

// laidOut is a kernel whose arguments have rows and tokens.
func laidOut() Kernel {
	const tokens, heads = Axis("tokens"), Axis("heads")
	return Kernel{Args: Args{In("x", F32, tokens, heads, wide), In("gate", F32, tokens, heads), In("row", F32, wide)},
		Sweep: Sweep{Probes: []Shape{{tokens: 4, heads: 3, wide: 8}}, Inputs: Standard(nil, "x", "gate", "row")}}
}

// TestMaskedRows counts what is left of rows: nothing, one element, either half, or all.
func TestMaskedRows(t *testing.T) {
	left := func(x []float64) (list []int) {
		for row := range slices.Chunk(x, 8) {
			n := 0
			for _, v := range row {
				if !math.IsInf(v, -1) {
					n++
				}
			}
			list = append(list, n)
		}
		return list
	}
	want := []int{0, 1, 4, 4, 0, 1, 4, 4, 0, 1, 4, 4}
	if got := left(filled(laidOut(), "masked_x", "x")); !slices.Equal(got, want) {
		t.Errorf("finite elements of rows: %v, want %v", got, want)
	}
	if got := left(filled(laidOut(), "masked_row", "row")); !slices.Equal(got, []int{4}) {
		t.Errorf("finite elements of the only row: %v, want 4", got)
	}
}

// TestZeroTokens has the same tokens be zero in all arguments that have tokens.
func TestZeroTokens(t *testing.T) {
	for _, a := range []string{"x", "gate"} {
		x := filled(laidOut(), "zero_tokens", a)
		for i, v := range x {
			if token := i / (len(x) / 4); (v == 0) != (token == 1) {
				t.Errorf("%s: token %d has %v", a, token, v)
			}
		}
	}
}

// TestScales compares the magnitudes of rows, of which each has one.
func TestScales(t *testing.T) {
	exponents := map[int]bool{}
	for row := range slices.Chunk(filled(laidOut(), "scales", "x"), 8) {
		largest := 0.0
		for _, v := range row {
			largest = math.Max(largest, math.Abs(v))
		}
		exponents[math.Ilogb(largest)] = true
	}
	if len(exponents) < 9 {
		t.Errorf("12 rows have %d magnitudes", len(exponents))
	}
}

// TestEnds draws both ends of a range and numbers between them.
func TestEnds(t *testing.T) {
	x := make([]float64, 100)
	Ends(Uniform(-3, 5))(Generator("case", "x", 1), nil, x)
	low, high := 0, 0
	for _, v := range x {
		if v < -3 || v >= 5 {
			t.Fatalf("%v is out of range", v)
		}
		if v == -3 {
			low++
		} else if v > 4.999 {
			high++
		}
	}
	if low < 10 || high < 10 || low+high > 80 {
		t.Errorf("%d of 100 at the low end, %d at the high end", low, high)
	}
	Ends(Choice(1, 2, 3))(Generator("case", "y", 1), nil, x)
	if slices.Sort(x); x[0] != 1 || x[50] == x[0] && x[50] == x[99] {
		t.Errorf("choices are %v", x)
	}
}

// TestFamiliesInTurn gives small shapes other families in turn, and short ones NaN.
func TestFamiliesInTurn(t *testing.T) {
	k := extremum(Standard(nil, "x")...)
	const rows = Axis("rows")
	k.Sweep.Shapes = []Shape{{rows: 2, wide: 1}, {rows: 2, wide: 2}, {rows: 2, wide: 3}, {rows: 1000, wide: 9}}
	families := map[int][]string{}
	for _, c := range Cases([]Family{{Kernels: []Kernel{k}}}, Quick) {
		families[c.Shape[wide]] = append(families[c.Shape[wide]], c.Input.Name)
	}
	if !slices.Contains(families[1], "nan_x") {
		t.Errorf("at length 1: %q", families[1])
	}
	if len(families[2]) != 2 || len(families[3]) != 2 || families[2][1] == families[3][1] {
		t.Errorf("at lengths 2 and 3: %q and %q", families[2], families[3])
	}
	if fmt.Sprint(families[9]) != "[normal]" {
		t.Errorf("at a shape that is larger than the probe: %q", families[9])
	}
	once := 0
	for _, c := range Cases([]Family{{Kernels: []Kernel{extremum(Standard(nil, "x")...)}}}, Quick) {
		if strings.Contains(c.Name, "input=masked_x") {
			once++
		}
	}
	if once != 1 {
		t.Errorf("%d cases of masked_x", once)
	}
}

// TestAllDecide leads to decisions from each random family, or from the first.
func TestAllDecide(t *testing.T) {
	k := extremum(Standard(nil, "x")...)
	k.Sweep.Decides = true
	for all, want := range map[bool][]string{
		false: {"decisions", "decisions_by_one"},
		true: {"decisions", "decisions_by_one", "decisions_wide", "decisions_by_one_wide", "decisions_positive",
			"decisions_by_one_positive"},
	} {
		k.Sweep.AllDecide = all
		var names []string
		for _, c := range Cases([]Family{{Kernels: []Kernel{k}}}, Quick) {
			if c.NearDecisions() {
				names = append(names, c.Input.Name)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("from all families is %t: %q, want %q", all, names, want)
		}
	}
}
