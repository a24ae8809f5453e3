package lanes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"
)

// benched is the number of lanes in the benchmarks.
const benched = 128

// BenchmarkTable times every loop of the tables that this processor can run, in nanoseconds a lane; for the tiles, of
// which a lane has two elements, too.
func BenchmarkTable(b *testing.B) {
	of := reflect.TypeFor[Table]()
	for i := range of.NumField() {
		name := of.Field(i).Name
		if factors[name] != nil {
			continue // timed by BenchmarkRows
		}
		for _, t := range tables {
			table := reflect.ValueOf(t).Elem()
			label := "/" + table.Field(0).String()
			functions(name, table.Field(i), func(loop string, f reflect.Value) {
				for variant, run := range calls(name, f.Interface()) {
					b.Run(loop+variant+label, func(b *testing.B) {
						for b.Loop() {
							run()
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benched, "ns/lane")
					})
				}
			})
		}
	}
}

// calls binds a loop to operands: floats of moderate size or, for what expects
// bools, masks. A gather or scatter has a variant for each pattern.
func calls(entry string, loop any) map[string]func() {
	r := rand.New(rand.NewPCG(1, 2))
	lanes := func() []uint32 {
		x := make([]uint32, benched)
		for i := range x {
			x[i] = math.Float32bits(r.Float32()*4 - 2)
		}
		return x
	}
	d, a, b, c, m := lanes(), lanes(), lanes(), lanes(), drawMask(r, benched, 2)
	dq, aq, bq := make([]uint64, benched), drawWide(r, benched), drawWide(r, benched)
	s := math.Float32bits(3)
	once := func(f func()) map[string]func() { return map[string]func(){"": f} }
	switch f := loop.(type) {
	case func(d, a []uint32), Unary:
		unary := reflect.ValueOf(f).Convert(reflect.TypeFor[Unary]()).Interface().(Unary)
		return once(func() { unary(d, a) })
	case func(d, a, b []uint32):
		if entry == "CopyMasked" {
			return once(func() { f(d, m, b) })
		}
		return once(func() { f(d, a, b) })
	case func(d, a []uint32, s uint32):
		return once(func() { f(d, a, s) })
	case func(d, a []uint32, s uint32) int:
		return once(func() { f(m, a, s) })
	case func(d []uint32, s uint32, b []uint32):
		return once(func() { f(d, s, b) })
	case func(d, a, b []uint64):
		return once(func() { f(dq, aq, bq) })
	case func(d, a []uint64, s uint64):
		return once(func() { f(dq, aq, 3) })
	case func(d []uint64, s uint64, b []uint64):
		return once(func() { f(dq, 3, bq) })
	case func(d, a, b, c []uint32):
		if entry == "Select" {
			a = m
		}
		return once(func() { f(d, a, b, c) })
	case func(d, a []uint32, s uint32, c []uint32):
		return once(func() { f(d, a, s, c) })
	case func(d []uint32, s uint32):
		return once(func() { f(d, s) })
	case func(d []uint64, s uint64):
		return once(func() { f(dq, 3) })
	case func(d, a, b []uint32) int:
		return once(func() { f(d, m, m) })
	case func(d []uint64, m []uint32, a, b []uint64):
		return once(func() { f(dq, m, aq, bq) })
	case func(d []uint64, m []uint32, a []uint64):
		return once(func() { f(dq, m, aq) })
	case func(d []uint64, a []uint32):
		return once(func() { f(dq, a) })
	case func(d []uint32, a []uint64):
		return once(func() { f(d, aq) })
	case narrowing:
		for i := range aq {
			aq[i] = uint64(i) * 4
		}
		return once(func() { f(d, aq, m, 0, 1<<20, 2) })
	case func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32):
		return once(func() { f(d, c, a, b, a, b, d, c) })
	case Gather:
		return accessed(r, func(x access) { f(d, x.words, x.idx, x.mask, x.at) })
	case Widening:
		return once(func() { f(d, a, 0) })
	case func(d, a, words []uint32, mask uint32):
		return once(func() { f(d, a, b, 31) })
	case func(d, w, words, first []uint32, step, rows int):
		return once(func() { f(d, a, b, make([]uint32, benched/simdgroup), 0, 1) })
	case func(a []uint32) bool:
		return once(func() { f(a) })
	case func(d, a []uint32, s, t uint32):
		return once(func() { f(d, a, 4, 15) })
	case Scatter:
		return accessed(r, func(x access) { f(x.words, x.idx, x.mask, a, x.at) })
	case func(d, q, s, c, x, e []uint32):
		return once(func() { f(d, a, b, c, b, a) })
	case fetching:
		at := uintptr(unsafe.Pointer(&a[0]))
		return once(func() { f(at, 4*len(a)) })
	case string:
		return nil
	}
	panic(fmt.Sprintf("no operands for a %T", loop))
}

func accessed(r *rand.Rand, f func(x access)) map[string]func() {
	x := access{words: make([]uint32, benched), idx: make([]uint32, benched), mask: drawMask(r, benched, 4),
		at: Index{Count: benched, Mult: 1}}
	consecutive, equal, random := x, x, x
	consecutive.idx, random.idx = make([]uint32, benched), make([]uint32, benched)
	for l := range benched {
		consecutive.idx[l], random.idx[l] = uint32(l), r.Uint32N(benched)
	}
	return map[string]func(){
		"/consecutive": func() { f(consecutive) }, "/equal": func() { f(equal) }, "/random": func() { f(random) },
	}
}
