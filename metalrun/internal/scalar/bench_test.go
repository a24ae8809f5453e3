package scalar

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkFunctions(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y, d := make([]float32, 1024), make([]float32, 1024), make([]float32, 1024)
	for i := range x {
		x[i], y[i] = r.Float32()*0.98+0.01, r.Float32()*4-2
	}
	for _, name := range []string{"exp", "exp2", "exp10", "log", "log2", "sin", "cos", "tan", "sinpi", "atan", "asin",
		"acos", "sinh", "cosh", "tanh", "asinh", "atanh", "sqrt", "rsqrt", "floor", "round", "fract"} {
		for f, label := range []string{"float", "half"} {
			g := Float(name).Unary(Format(f))
			b.Run(name+"/"+label, func(b *testing.B) {
				for b.Loop() {
					for i, v := range x {
						d[i] = g(v)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/call")
			})
		}
	}
	for _, name := range []string{"pow", "atan2", "fmod", "max"} {
		g := Float(name).Binary(F32)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for i, v := range x {
					d[i] = g(v, y[i])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/call")
		})
	}
	b.Run("sin/large", func(b *testing.B) {
		for b.Loop() {
			for i, v := range x {
				d[i] = Sin(v * 1e30)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/call")
	})
	b.Run("FMA32", func(b *testing.B) {
		for b.Loop() {
			for i, v := range x {
				d[i] = FMA32(v, y[i], v)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/call")
	})
}
