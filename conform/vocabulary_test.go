package conform

import (
	"slices"
	"strings"
	"testing"
)

// What there is to say of a kernel is said here of one: a running sum over blocks of words and a copy of
// flags, over a state, with a struct and threadgroups that cover the row.
func TestVocabulary(t *testing.T) {
	const n = Axis("n")
	k := Kernel{
		Name: "add_up",
		Args: []Arg{In("x", F32, n), In("flags", U8, n).Fill(Choice(0, 1)), InOut("state", F32, n),
			Out("copy", U8, n), Struct("p", Const("n", U32, n), Const("gain", F32, 0.5))},
		Threadgroups:          Sizes{"ceil_div(n, 32)"},
		ThreadsPerThreadgroup: Sizes{32},
		Base:                  Shape{n: 70},
		Inputs: []Input{Standard("x"),
			Family("small", Fills{"x": Uniform(-1, 1), "flags": Choice(1)}).Random()},
		Contract: Contract{Sums: map[string]Schedule{"state": AnyOrder()}},
		Oracle: func(p *Problem) Answers {
			b := p.Contract.Bounds()
			var sums []Bounded
			var flags []float64
			for i, x := range p.Values("x") {
				sums = append(sums,
					b.Sum("state", Exactly(p.Values("state")[i]), b.Mul(Exactly(x), Exactly(p.Scalar("gain")))))
				flags = append(flags, float64(p.Words("flags")[i]))
			}
			return Answers{"state": b.Answer(sums...), "copy": Equal(flags...)}
		},
	}
	const source = `struct P { uint n; float gain; };
kernel void add_up(device const float* x [[buffer(0)]], device const uchar* flags [[buffer(1)]], device float* state [[buffer(2)]], device uchar* copy [[buffer(3)]],
    constant P& p [[buffer(4)]], uint i [[thread_position_in_grid]])
{
    if (i < p.n) {
        state[i] += x[i] * p.gain;
        copy[i] = flags[i];
    }
}`
	if got := checks(t, source, k); len(got) > 0 {
		t.Errorf("fails by %v", got)
	}
}

// A kernel that writes where integers say is given places that no two threads share, and reads within what there is.
func TestPlaces(t *testing.T) {
	const n, slots = Axis("n"), Axis("slots")
	k := Kernel{
		Name: "place",
		Args: []Arg{In("x", F32, n), In("from", I32, n).Fill(Below(n)),
			In("to", I32, n).Fill(Distinct(slots, -1)), InOut("y", F32, slots)},
		Threads:               Sizes{n},
		ThreadsPerThreadgroup: Sizes{32},
		Base:                  Shape{n: 40, slots: 60},
		Vary:                  Points{n: {1, 60}},
		Inputs:                []Input{Finite("x").Without("subnormal", "wide")},
		Oracle: func(p *Problem) Answers {
			y := append([]float64(nil), p.Values("y")...)
			for i, to := range p.Words("to") {
				if int32(to) >= 0 {
					y[to] = p.Values("x")[p.Words("from")[i]]
				}
			}
			return Answers{"y": Equal(y...)}
		},
	}
	const source = `kernel void place(device const float *x [[buffer(0)]], device const int *from [[buffer(1)]], device const int *to [[buffer(2)]], device float *y [[buffer(3)]],
    uint i [[thread_position_in_grid]])
{
    if (to[i] >= 0) { y[to[i]] = x[from[i]]; }
}`
	if got := checks(t, source, k); len(got) > 0 {
		t.Errorf("fails by %v", got)
	}
	made, err := k.kernel()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range made.Sweep.Inputs {
		if slices.Contains([]string{"extremes", "inf_x", "subnormal", "wide"}, in.Name) {
			t.Errorf("inputs have %s", in.Name)
		}
	}
}

// Parts of a length begin and end where integers say, and some are empty: a kernel that begins its sum with an element
// fails.
func TestParts(t *testing.T) {
	const n, rows = Axis("n"), Axis("rows")
	k := Kernel{
		Name: "parts",
		Args: []Arg{In("x", F32, n), In("begin", U32, "rows + 1").Fill(Offsets(n)),
			Out("y", F32, rows)},
		Threads:               Sizes{rows},
		ThreadsPerThreadgroup: Sizes{32},
		Base:                  Shape{n: 90, rows: 40},
		Vary:                  Points{n: {1, 60}, rows: {1}},
		Inputs:                []Input{Family("normal", Fills{"x": Normal})},
		Formula: `
			def parts(x, begin):
			    total = concat([[0], cumsum(x)])
			    return total[begin[1:]] - total[begin[:-1]]`,
	}
	const source = `kernel void parts(device const float *x [[buffer(0)]], device const uint *begin [[buffer(1)]], device float *y [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    float sum = 0;
    for (uint j = begin[i]; j < begin[i + 1]; j++) { sum += x[j]; }
    y[i] = sum;
}`
	if got := checks(t, source, k); len(got) > 0 {
		t.Errorf("fails by %v", got)
	}
	if got := checks(t, strings.Replace(source, "sum = 0;",
		"sum = begin[i] < 90 && begin[i] == begin[i + 1] ? x[begin[i]] : 0;", 1), k); len(got) == 0 {
		t.Error("a part that is empty has an element")
	}
}
