package conform

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hosts are kernels of examples/starlark/hosts.star, in the same order, as a program specifies them.
func hosts() []Kernel {
	perGroup, levels := Sizes{32}, []float64{-1.5, -0.5, 0.5, 1.5}
	kernels := []Kernel{{
		Name: "view_scale",
		Args: []Arg{
			In("x", F16, "rows", "n").Strides("stride", 1).First("first").Size("first + rows * stride"),
			Out("y", F32, "rows", "n").Index(3),
			Struct("view", Const("rows", U32, "rows"), Const("n", U32, "n"), Const("stride", U32, "stride"),
				Const("first", U32, "first"),
				Const("gain", F32, 0.75).Offset(24)).Bytes(32).Index(7).As("View"),
		},
		Threads: Sizes{"n", "rows"}, ThreadsPerThreadgroup: Sizes{8, 4},
		Base: Shape{"rows": 3, "n": 5, "stride": 8, "first": 2},
		Vary: Points{"rows": {1, 9}, "n": {1, 8}, "stride": {5, 64}, "first": {0, 7}},
		Check: func(s Shape) error {
			if s["stride"] < s["n"] {
				return errors.New("rows overlap")
			}
			return nil
		},
		Settings: map[string][]float64{"gain": {-2, 0.1}},
		Oracle: func(p *Problem) Answers {
			y := p.Values("x")
			for i := range y {
				y[i] *= p.Scalar("gain")
			}
			return Answers{"y": Definition(y...)}
		},
	}, {
		Name: "add_offset",
		Args: []Arg{In("x", I32, "n"), Out("y", I64, "n"),
			Struct("params", Const("n", U32, "n"), Const("offset", U32, "offset"))},
		Threads: Sizes{"n"}, ThreadsPerThreadgroup: perGroup,
		Base: Shape{"n": 70, "offset": 5}, Vary: Points{"n": {1, 32, 33}, "offset": {0, 1 << 30}},
		Formula: "x + offset",
	}, {
		Name:    "halve",
		Args:    []Arg{In("x", F32, "n"), Out("y", F32, "n").Over("x"), Const("n", U32, "n")},
		Threads: Sizes{"n"}, ThreadsPerThreadgroup: perGroup, Base: Shape{"n": 70}, Vary: Points{"n": {1, 33}},
		Formula: "x / 2",
	}, {
		Name:      "tile_sums",
		Args:      []Arg{In("x", F32, "n", "tile"), In("bias", F32, "n"), Out("y", F32, "n")},
		Constants: map[string]Size{"has_bias": "biased"},
		Macros:    map[string]Size{"TILE": func(s Shape) int { return s["tile"] }},
		Threads:   Sizes{"n"}, ThreadsPerThreadgroup: perGroup,
		Base: Shape{"n": 40, "tile": 4, "biased": 1}, Vary: Points{"n": {1, 33}, "tile": {1, 7}, "biased": {0}},
		Formula: "sum(x, axis = 1) + (bias if biased else 0)",
	}, {
		Name: "collect",
		Args: []Arg{In("flags", Bool, "n"), Out("places", U32, "n").Unordered("found"),
			InOut("count", U32, 1).Fill(Every(0))},
		Threads: Sizes{"n"}, ThreadsPerThreadgroup: perGroup, Base: Shape{"n": 70}, Vary: Points{"n": {1, 33, 200}},
		Formula: `
			def collected(flags, n):
			    places = [i for i in range(n) if flags[i] != 0]
			    return {"places": concat([tensor(places), full([n - len(places)], anything)]), "count": tensor([len(places)])}`,
	}, {
		Name: "decay",
		Args: []Arg{In("x", F32, "T", "n"), InOut("state", F32, "n"), Out("y", F32, "T", "n"), Const("t", U32, 0),
			Const("n", U32, "n")},
		Launches: func(s Shape) []Launch {
			all := make([]Launch, s["T"])
			for t := range all {
				all[t].Set = map[string]float64{"t": float64(t)}
			}
			return all
		},
		Threadgroups: Sizes{1}, ThreadsPerThreadgroup: Sizes{"n"},
		ThreadgroupMemory: Sizes{func(s Shape) int { return 4 * s["n"] }},
		Base:              Shape{"T": 3, "n": 40}, Vary: Points{"T": {1, 6}, "n": {1, 64}}, Inputs: []Input{Finite()},
		Formula: `
			def decayed(x, state):
			    last, rows = scan(lambda s, row: (s / 2 + row, s / 2 + row), state, x)
			    return {"y": rows, "state": last}`,
	}, {
		Name:    "look_up",
		Args:    []Arg{In("packed", U8, "n // 4"), In("scale", F16, "n // 32"), Out("y", F32, "n")},
		Tables:  map[string][]float64{"LEVELS": levels},
		Threads: Sizes{"n"}, ThreadsPerThreadgroup: perGroup, Base: Shape{"n": 64}, Vary: Points{"n": {32, 320}},
		Formula: "take(LEVELS, reshape(bits(packed[:, None], arange(4) * 2, 2), [n])) * repeat(scale, 32)",
	}, {
		Name: "spread_points",
		Args: []Arg{In("codes", U8, "n // 4").Fill(Below(3)), Out("y", F32, "n")},
		Held: map[string]Held{
			"POINTS": {U8, 12, "a8b0b41878d97acf17734299c8de6450e98593c01eed096c091c02b7c4546cb2"},
		},
		Threads: Sizes{"n"}, ThreadsPerThreadgroup: perGroup, Base: Shape{"n": 64}, Vary: Points{"n": {4, 320}},
		Formula: `reshape(take(reshape(tables["POINTS"], [-1, 4]), codes), [-1])`,
	}, {
		Name:    "from_f8",
		Args:    []Arg{In("x", F8E4M3, "n"), Out("y", F32, "n")},
		Threads: Sizes{"n"}, ThreadsPerThreadgroup: perGroup, Base: Shape{"n": 70}, Vary: Points{"n": {1, 33}},
		Inputs: []Input{Standard(), Family("tiny", Fills{"x": Scaled(Normal, 0.01)}),
			Family("large", Fills{"x": Scaled(Normal, 200)})},
		Oracle: func(p *Problem) Answers { return Answers{"y": Definition(p.Values("x")...)} },
	}}
	for _, t := range []struct {
		of     Type
		inputs []Input
	}{{F32, nil}, {F16, nil}, {I8, []Input{Family("some", Fills{"x": Integers})}}} {
		kernels = append(kernels, Kernel{
			Name:    "negate_" + string(t.of),
			Args:    []Arg{In("x", t.of, "n"), Out("y", t.of, "n")},
			Threads: Sizes{"n"}, ThreadsPerThreadgroup: perGroup, Base: Shape{"n": 70}, Vary: Points{"n": {1, 33}},
			Inputs:  t.inputs,
			Formula: "-x",
		})
	}
	return append(kernels, Kernel{
		Name: "paged_rows",
		Args: []Arg{In("cache", F32, "4 * blocks", "n"), In("blocks", U32, "rows // 4").Fill(Below("blocks")),
			Out("y", F32, "rows", "n"), Const("n", U32, "n")},
		Threads: Sizes{"n", "rows"}, ThreadsPerThreadgroup: Sizes{8, 4},
		Base: Shape{"rows": 8, "n": 5, "blocks": 7}, Vary: Points{"rows": {4, 32}, "n": {1, 9}, "blocks": {1, 20}},
		Formula: `
			def paged(cache, blocks, rows, n):
			    return reshape(take(reshape(cache, [-1, 4, n]), blocks), [rows, n])`,
	}, Kernel{
		Name:    "coarse_root",
		Args:    []Arg{In("x", F32, "n").Fill(Uniform(0.1, 100)), Out("y", F32, "n")},
		Threads: Sizes{"n"}, ThreadsPerThreadgroup: perGroup, Base: Shape{"n": 70}, Vary: Points{"n": {1, 33}},
		Inputs: []Input{Family("some", nil).Random()},
		Oracle: func(p *Problem) Answers {
			var roots []float64
			for _, x := range p.Values("x") {
				roots = append(roots, math.Cbrt(x))
			}
			return Answers{"y": Within(0.01, roots...)}
		},
	})
}

// What files say programs can say too: the same cases come of it, and kernels that conform to one conform to the other.
func TestHosts(t *testing.T) {
	dir := os.DirFS("../examples/starlark")
	file, err := Starlark(dir, "hosts.star")
	if err != nil {
		t.Fatal(err)
	}
	cases := func(kernels []Kernel) map[string]bool {
		judge, err := NewJudge(dir, kernels, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer judge.Close()
		passed := map[string]bool{}
		for _, name := range judge.Cases() {
			r, err := judge.Case(context.Background(), name)
			ok := err == nil && r.Status == Pass
			// fast math leaves every element of subnormal numbers open, as their exponents add up: no device is judged
			open := err == nil && r.Status == Skip && r.Unjudged != nil && strings.HasSuffix(name, "/math=fast")
			if !ok && !open {
				t.Errorf("%s: %v %s %v %v", name, r.Status, r.Reason, r.Failures, err)
			}
			// a function of a program may decide, of a formula it shows
			if !strings.Contains(name, "/input=decisions") {
				passed[name] = ok
			}
		}
		return passed
	}
	specified := hosts()
	for i, k := range specified {
		of := slices.IndexFunc(file, func(other Kernel) bool { return other.Name == k.Name })
		got, want := cases(specified[i:i+1]), cases(file[of:of+1])
		// axes stand in the order of arguments
		if k.Name == "tile_sums" || k.Name == "view_scale" || k.Name == "paged_rows" {
			got, want = map[string]bool{k.Name: len(got) == len(want)}, map[string]bool{k.Name: true}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: cases (-want +got):\n%s", k.Name, diff)
		}
	}
}
