package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"metalconform/oracles"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// kindOf are the slices of one kind.
func kindOf(t *testing.T, m Output, by string) Slices {
	t.Helper()
	for _, s := range m.Slices {
		if s.By == by {
			return s
		}
	}
	t.Fatalf("no slices by %q in %+v", by, m.Slices)
	return Slices{}
}

// TestZeroedHead zeroes the smallest of eight heads: whole-tensor figures pass
// every usual threshold, and the slice has a cosine of 0.
func TestZeroedHead(t *testing.T) {
	const h, n, small = 8, 64, 5
	want := make([]float64, 64*h*n)
	r := rand.New(rand.NewPCG(1, 1))
	got := make([]float64, len(want))
	for i := range want {
		want[i] = r.NormFloat64()
		if i/n%h == small {
			want[i] *= 0.02
			continue
		}
		got[i] = oracles.BF16.Round(want[i])
	}
	b := bf16
	b.Extents, b.Axes = []int{64, h, n}, []string{"", "heads", ""}
	meter := NewMeter(b)
	for i := range want {
		meter.Add(i, got[i], want[i], 0)
	}
	m := meter.Output(All())
	if cosine, nmse := m.number(Cosine), m.number("nmse"); cosine < 0.9999 || nmse > 5e-4 {
		t.Errorf("cosine %g, nmse %g: the fault shows in the whole tensor", cosine, nmse)
	}
	at := []int{0, small, 0}
	head := Slices{By: "heads", Of: h, Metrics: Values{{Cosine, 0, at}, {"nmse", 1, at}}}
	if diff := cmp.Diff(head, kindOf(t, m, "heads")); diff != "" {
		t.Errorf("slices by head (-want +got):\n%s", diff)
	}
	if token, _ := kindOf(t, m, "axis 0").Metrics.Find("nmse"); token.Value > 5e-4 {
		t.Errorf("nmse %g of a token: the fault is not where it should be", token.Value)
	}
}

// TestSlices compares all kinds with sums over every element by its indices.
func TestSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range [][]int{{1}, {8}, {9}, {30}, {1, 150}, {3, 5}, {5, 64}, {2, 1, 20, 11}, {3, 2, 32}, {2, 3, 9, 8},
		{17, 4, 1}} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b := f32
			b.Extents = n
			count := 1
			for _, size := range n {
				count *= size
			}
			meter := NewMeter(b)
			naive := map[string]map[int]*Sums{} // by kind and first element
			for i := range count {
				if count > 30 && i%29 < 12 {
					continue // left untouched
				}
				want := r.Float64() - 0.5
				got := want + 1e-3*r.Float64()
				meter.Add(i, got, want, 0)
				e := products(got, want)
				for kind, first := range parts(n, i) {
					if naive[kind] == nil {
						naive[kind] = map[int]*Sums{}
					}
					if naive[kind][first] == nil {
						naive[kind][first] = &Sums{}
					}
					naive[kind][first].add(&e)
				}
			}
			got := map[string]Slices{}
			for _, s := range meter.Output(All()).Slices {
				got[s.By] = s
			}
			want := map[string]Slices{}
			for kind, all := range naive {
				if s := worstOfMap(kind, all, &b); len(all) > 1 {
					want[kind] = s
				}
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0),
				cmpopts.IgnoreFields(Slices{}, "Of")); diff != "" {
				t.Errorf("slices (-want +got):\n%s", diff)
			}
		})
	}
}

// parts are the first elements of the parts that element i of an output with the
// extents n belongs to, by kind.
func parts(n []int, i int) map[string]int {
	var axes []int // of more than one element
	count := 1
	for d, size := range n {
		if size > 1 {
			axes = append(axes, d)
		}
		count *= size
	}
	p := map[string]int{}
	stride := 1
	index, strides := make([]int, len(n)), make([]int, len(n))
	for d := len(n) - 1; d >= 0; d-- {
		index[d], strides[d] = i/stride%n[d], stride
		stride *= n[d]
	}
	if len(axes) == 0 {
		return p
	}
	x := axes[len(axes)-1]
	corner := i - index[x]%8*strides[x]
	if len(axes) > 1 {
		for _, d := range axes {
			p[fmt.Sprintf("axis %d", d)] = index[d] * strides[d]
		}
		y := axes[len(axes)-2]
		corner -= index[y] % 8 * strides[y]
	}
	if len(axes) > 2 {
		p["row"] = i / n[x] * n[x]
	}
	p["tile"] = corner
	if count > 32 {
		p["lane"] = i % 32
	}
	return p
}

// worstOfMap is worstOf by another way.
func worstOfMap(by string, all map[int]*Sums, b *Buffer) Slices {
	cosine, nmse := Value{Key: Cosine, Value: math.Inf(1)}, Value{Key: "nmse", Value: -1}
	for first, part := range all {
		if c := part.GW / math.Sqrt(part.GG*part.WW); c < cosine.Value {
			cosine.Value, cosine.At = c, b.position(first)
		}
		if e := part.DD / part.WW; e > nmse.Value {
			nmse.Value, nmse.At = e, b.position(first)
		}
	}
	return Slices{By: by, Metrics: Values{cosine, nmse}}
}
