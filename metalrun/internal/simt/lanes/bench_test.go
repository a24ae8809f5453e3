package lanes

import (
	"math/rand/v2"
	"testing"
)

// lanesBenched is the width of a threadgroup in the benchmarks.
const lanesBenched = 128

func BenchmarkLanes(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	floats := func(gen func() float32) []float32 {
		x := make([]float32, lanesBenched)
		for i := range x {
			x[i] = gen()
		}
		return x
	}
	smooth := func() float32 { return r.Float32()*4 - 2 }
	d, x, y, z := floats(smooth), floats(smooth), floats(smooth), floats(smooth)
	nibbles := floats(func() float32 { return float32(r.IntN(16)) })
	coarse := floats(func() float32 { return float32(r.IntN(64)) / 16 })
	u, v, w, m := make([]uint32, lanesBenched), make([]uint32, lanesBenched), make([]uint32, lanesBenched), make([]uint32, lanesBenched)
	for i := range u {
		u[i], v[i], m[i] = r.Uint32(), r.Uint32(), -uint32(r.IntN(2))
	}
	for _, t := range []struct {
		name string
		run  func()
	}{
		{"AddVV", func() { AddVV(d, x, y) }},
		{"AddVS", func() { AddVS(d, x, 3) }},
		{"SubSV", func() { SubSV(d, 3, x) }},
		{"MulVV", func() { MulVV(d, x, y) }},
		{"MulVS", func() { MulVS(d, x, 3) }},
		{"DivVV", func() { DivVV(d, x, y) }},
		{"NegV", func() { NegV(d, x) }},
		{"MulAddVVV", func() { MulAddVVV(d, x, y, z) }},
		{"MulAddVSV", func() { MulAddVSV(d, x, 3, z) }},
		{"FMAVVV", func() { FMAVVV(d, x, y, z) }},
		{"FMAVVV/ties", func() { FMAVVV(d, nibbles, x, coarse) }},
		{"FMAVSV", func() { FMAVSV(d, x, 3, z) }},
		{"AddVV/uint32", func() { AddVV(w, u, v) }},
		{"AddVS/uint32", func() { AddVS(w, u, 3) }},
		{"MulVS/uint32", func() { MulVS(w, u, 3) }},
		{"AndVS", func() { AndVS(w, u, 15) }},
		{"ShrVS", func() { ShrVS(w, u, 3) }},
		{"ShrVV", func() { ShrVV(w, u, v) }},
		{"ShrVS/int32", func() { ShrVS(Int32s(w), Int32s(u), 3) }},
		{"LessVV/float32", func() { LessVV(w, x, y) }},
		{"EqualVV/float32", func() { EqualVV(w, x, y) }},
		{"LessVS/uint32", func() { LessVS(w, u, 1<<31) }},
		{"Select", func() { Select(w, m, u, v) }},
		{"CopyMasked", func() { CopyMasked(w, m, u) }},
		{"Fill", func() { Fill(d, 1) }},
		{"F32FromU32", func() { F32FromU32(d, u) }},
		{"F32FromI32", func() { F32FromI32(d, u) }},
		{"I32FromF32", func() { I32FromF32(w, x) }},
		{"RoundHalfV", func() { RoundHalfV(d, x) }},
		{"RoundBfloatV", func() { RoundBfloatV(d, x) }},
	} {
		b.Run(t.name, func(b *testing.B) {
			for b.Loop() {
				t.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/lanesBenched, "ns/lane")
		})
	}
}
