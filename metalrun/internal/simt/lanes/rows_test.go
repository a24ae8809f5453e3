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
	stride           int
	s                uint32
}

func drawArrays(r *rand.Rand, lanes, rows, stride int, kind func(r *rand.Rand, n int) []uint32) arrays {
	words := extent(rows, lanes, stride)
	return arrays{kind(r, lanes), kind(r, words), kind(r, max(lanes, words)), kind(r, rows), kind(r, rows), stride,
		kind(r, 1)[0]}
}

// clone copies what the loops change.
func (x arrays) clone() arrays {
	x.d, x.rows = slices.Clone(x.d), slices.Clone(x.rows)
	return x
}

// A rowLoop says what a loop over rows is: element is what becomes of the
// element of a lane of row k, weight its factor in the sum.
type rowLoop struct {
	name    string
	strides func(lanes int) []int
	run     func(table *Table, x arrays)
	element func(x arrays, k, lane int, old float32) float32
	weight  func(x arrays, k, lane int) uint32
}

// define is what a loop makes of x.
func (l rowLoop) define(x arrays) arrays {
	y := x.clone()
	for i := range y.d {
		sum := math.Float32frombits(x.d[i])
		for k := range x.t {
			e := &y.rows[k*x.stride+i]
			v := l.element(x, k, i, math.Float32frombits(*e))
			*e = math.Float32bits(v)
			sum += float32(v * math.Float32frombits(l.weight(x, k, i)))
		}
		y.d[i] = math.Float32bits(sum)
	}
	return y
}

var rowLoops = []rowLoop{
	{
		"DotRows", apartOrNot,
		func(table *Table, x arrays) { table.DotRows(x.d, x.rows, x.stride, x.t) },
		func(_ arrays, _, _ int, old float32) float32 { return old },
		func(x arrays, k, _ int) uint32 { return x.t[k] },
	},
	{
		"ScaleRows", oneAfterAnother, func(table *Table, x arrays) { table.ScaleRows(x.d, x.rows, x.s, x.t) },
		func(x arrays, _, _ int, old float32) float32 { return old * math.Float32frombits(x.s) },
		func(x arrays, k, _ int) uint32 { return x.t[k] },
	},
	{
		"UpdateRows", oneAfterAnother, func(table *Table, x arrays) { table.UpdateRows(x.d, x.rows, x.a, x.t, x.u) },
		func(x arrays, k, lane int, old float32) float32 {
			return old + float32(math.Float32frombits(x.a[lane])*math.Float32frombits(x.t[k]))
		},
		func(x arrays, k, _ int) uint32 { return x.u[k] },
	},
	{
		"DotRuns", apartOrNot, func(table *Table, x arrays) {
			if len(x.t) == 0 {
				return // there are no runs that could begin anywhere
			}
			first := make([]uint32, (len(x.d)+simdgroup-1)/simdgroup)
			for g := range first {
				first[g] = uint32(g * simdgroup)
			}
			table.DotRuns(x.d, x.rows, x.a, first, first, x.stride, len(x.t))
		},
		func(_ arrays, _, _ int, old float32) float32 { return old },
		func(x arrays, k, lane int) uint32 { return x.a[k*x.stride+lane] },
	},
}

func apartOrNot(lanes int) []int { return []int{lanes, lanes + 1, 1, 0} }

func oneAfterAnother(lanes int) []int { return []int{lanes} }

// TestRows compares the portable loops over rows with their definitions.
func TestRows(t *testing.T) {
	for i, loop := range rowLoops {
		r := rand.New(rand.NewPCG(67, uint64(i)))
		for _, lanes := range []int{0, 1, 7, 8, 9, 33, 128} {
			for _, stride := range loop.strides(lanes) {
				for _, rows := range []int{0, 1, 2, 5} {
					for _, kind := range []func(r *rand.Rand, n int) []uint32{drawLanes, drawModerate} {
						old := drawArrays(r, lanes, rows, stride, kind)
						got, want := old.clone(), loop.define(old)
						loop.run(Portable, got)
						name := fmt.Sprintf("%s of %d×%d, %d apart", loop.name, rows, lanes, stride)
						args := []any{old.d, old.rows, old.a, old.t, old.u, old.s}
						compareSlices(t, name, args, 0, got.d, want.d, true)
						compareSlices(t, name, args, 1, got.rows, want.rows, true)
					}
				}
			}
		}
	}
}

// TestDotGathered compares the portable loop with its definition, for rows that
// overlap and that do not.
func TestDotGathered(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	for _, lanes := range []int{0, 1, 7, 33} {
		for _, turns := range []int{0, 1, 2, 5, 19} {
			words, factors, first := drawModerate(r, turns+40), drawModerate(r, turns), drawIndices(r, lanes, 40)
			got := drawModerate(r, lanes)
			want := slices.Clone(got)
			for l := range want {
				for k, x := range factors {
					product := math.Float32frombits(words[int(first[l])+k]) * math.Float32frombits(x)
					want[l] = math.Float32bits(math.Float32frombits(want[l]) + float32(product))
				}
			}
			Portable.DotGathered(got, words, first, factors)
			compareSlices(t, fmt.Sprintf("%d turns of %d lanes", turns, lanes), []any{got, words, first, factors}, 0,
				got, want, false)
		}
	}
}

// BenchmarkDotGathered times 128 turns, in nanoseconds a turn and lane.
func BenchmarkDotGathered(b *testing.B) {
	const turns = 128
	r := rand.New(rand.NewPCG(1, 2))
	d, words, factors, first := drawModerate(r, benched), drawModerate(r, benched*turns), drawModerate(r, turns),
		make([]uint32, benched)
	for l := range first {
		first[l] = uint32(l * turns)
	}
	for _, table := range tables {
		b.Run(table.Name, func(b *testing.B) {
			for b.Loop() {
				table.DotGathered(d, words, first, factors)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(benched*turns), "ns/lane")
		})
	}
}

// BenchmarkRows times the loops over 128 rows, in nanoseconds a row and lane.
// However often they run, nothing overflows.
func BenchmarkRows(b *testing.B) {
	const rows = 128
	for _, loop := range rowLoops {
		for _, table := range tables {
			x := drawArrays(rand.New(rand.NewPCG(1, 2)), benched, rows, benched, drawModerate)
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
