package lanes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// arrays are operands of the loops over rows.
type arrays struct {
	d, rows, a, t, u []uint32
	s                uint32
}

func drawArrays(r *rand.Rand, lanes, rows int, kind func(r *rand.Rand, n int) []uint32) arrays {
	return arrays{kind(r, lanes), kind(r, rows*lanes), kind(r, lanes), kind(r, rows), kind(r, rows), kind(r, 1)[0]}
}

// clone copies what the loops change.
func (x arrays) clone() arrays {
	x.d, x.rows = slices.Clone(x.d), slices.Clone(x.rows)
	return x
}

// rowLoops say what the loops over rows are: element is what becomes of the
// element of a lane of row k, weight its factor in the sum.
var rowLoops = []struct {
	name    string
	run     func(table *Table, x arrays)
	element func(x arrays, k, lane int, old float32) float32
	weight  func(x arrays, k int) uint32
}{
	{
		"DotRows", func(table *Table, x arrays) { table.DotRows(x.d, x.rows, x.t) },
		func(_ arrays, _, _ int, old float32) float32 { return old },
		func(x arrays, k int) uint32 { return x.t[k] },
	},
	{
		"ScaleRows", func(table *Table, x arrays) { table.ScaleRows(x.d, x.rows, x.s, x.t) },
		func(x arrays, _, _ int, old float32) float32 { return old * math.Float32frombits(x.s) },
		func(x arrays, k int) uint32 { return x.t[k] },
	},
	{
		"UpdateRows", func(table *Table, x arrays) { table.UpdateRows(x.d, x.rows, x.a, x.t, x.u) },
		func(x arrays, k, lane int, old float32) float32 {
			return old + float32(math.Float32frombits(x.a[lane])*math.Float32frombits(x.t[k]))
		},
		func(x arrays, k int) uint32 { return x.u[k] },
	},
}

// TestRows compares the portable loops over rows with their definitions.
func TestRows(t *testing.T) {
	for i, loop := range rowLoops {
		r := rand.New(rand.NewPCG(67, uint64(i)))
		for _, lanes := range []int{0, 1, 7, 8, 9, 33, 128} {
			for _, rows := range []int{0, 1, 2, 5} {
				for _, kind := range []func(r *rand.Rand, n int) []uint32{drawLanes, drawModerate} {
					old := drawArrays(r, lanes, rows, kind)
					got, want := old.clone(), old.clone()
					loop.run(Portable, got)
					for l := range lanes {
						sum := math.Float32frombits(old.d[l])
						for k := range rows {
							e := &want.rows[k*lanes+l]
							x := loop.element(old, k, l, math.Float32frombits(*e))
							*e = math.Float32bits(x)
							sum += float32(x * math.Float32frombits(loop.weight(old, k)))
						}
						want.d[l] = math.Float32bits(sum)
					}
					name := fmt.Sprintf("%s of %d×%d", loop.name, rows, lanes)
					args := []any{old.d, old.rows, old.a, old.t, old.u, old.s}
					compareSlices(t, name, args, 0, got.d, want.d, true)
					compareSlices(t, name, args, 1, got.rows, want.rows, true)
				}
			}
		}
	}
}

// BenchmarkRows times the loops over 128 rows, in nanoseconds a row and lane.
// However often they run, nothing overflows.
func BenchmarkRows(b *testing.B) {
	const rows = 128
	for _, loop := range rowLoops {
		for _, table := range []*Table{Portable, Native()} {
			x := drawArrays(rand.New(rand.NewPCG(1, 2)), benched, rows, drawModerate)
			x.s = math.Float32bits(-1)
			b.Run(loop.name+"/"+table.Name, func(b *testing.B) {
				for b.Loop() {
					loop.run(table, x)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(benched*rows), "ns/lane")
			})
		}
	}
}
