package metalrun_test

import "math"

// The yardstick of BenchmarkK1 and BenchmarkK2: the same two kernels lowered by
// hand to closures over the lanes of a whole threadgroup, in plain Go loops. It
// is what the executor's design was measured with, and what a general
// compiler from source to closures is compared against.

// yardOp is one hand-lowered instruction.
type yardOp func(m *yardMachine)

type yardMachine struct {
	uints  [4]uint32
	floats [4]float32
}

func (m *yardMachine) run(ops []yardOp) {
	for _, o := range ops {
		o(m)
	}
}

// yardLoop repeats body with the uniform register r counting from 0 to n.
func yardLoop(r int, n uint32, body []yardOp) yardOp {
	return func(m *yardMachine) {
		for i := range n {
			m.uints[r] = i
			m.run(body)
		}
	}
}

func yardMulS(d, a []float32, s float32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] * s
	}
}

func yardMulAddS(d, c, a []float32, s float32) {
	a, c = a[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = c[i] + float32(a[i]*s)
	}
}

func yardGather[T any](d, mem []T, idx []uint32) {
	idx = idx[:len(d)]
	for i := range d {
		d[i] = mem[idx[i]]
	}
}

func yardScatter[T any](mem, s []T, idx []uint32) {
	for i, j := range idx {
		mem[j] = s[i]
	}
}

// yardExp is a correctly rounded exp for the arguments of the benchmark.
func yardExp(x float32) float32 { return float32(math.Exp(float64(x))) }

// yardstickK1 runs the recurrence with one threadgroup of D threads per head.
// Registers: uints 0 is the token's row in q, k and v, 1 its row in g and beta,
// 2 the column.
func yardstickK1(d *recurrence) {
	const H, T, D = recurrenceHeads, recurrenceTokens, recurrenceDim
	lanes := func() []float32 { return make([]float32, D) }
	tk, tq, t1, sk, o, delta, v := lanes(), lanes(), lanes(), lanes(), lanes(), lanes(), lanes()
	tid, addr := make([]uint32, D), make([]uint32, D)
	for i := range tid {
		tid[i] = uint32(i)
	}
	private := make([]float32, D*D) // [column][lane]
	row := func(m *yardMachine) []float32 { j := int(m.uints[2]); return private[j*D : j*D+D] }
	address := func(m *yardMachine) {
		for i, t := range tid {
			addr[i] = t + m.uints[0]
		}
	}
	token := []yardOp{
		address,
		func(*yardMachine) { yardGather(t1, d.k, addr) },
		func(*yardMachine) { yardScatter(tk, t1, tid) },
		func(*yardMachine) { yardGather(t1, d.q, addr) },
		func(*yardMachine) { yardScatter(tq, t1, tid) },
		func(m *yardMachine) { m.floats[0] = yardExp(-d.g[m.uints[1]]) },
		func(m *yardMachine) { m.floats[1] = d.beta[m.uints[1]] },
		func(*yardMachine) { clear(sk); clear(o) },
		yardLoop(2, D, []yardOp{
			func(m *yardMachine) { r := row(m); yardMulS(r, r, m.floats[0]) },
			func(m *yardMachine) { yardMulAddS(sk, sk, row(m), tk[m.uints[2]]) },
		}),
		address,
		func(*yardMachine) { yardGather(v, d.v, addr) },
		func(m *yardMachine) {
			for i := range delta {
				delta[i] = float32(v[i]-sk[i]) * m.floats[1]
			}
		},
		yardLoop(2, D, []yardOp{
			func(m *yardMachine) { r := row(m); yardMulAddS(r, r, delta, tk[m.uints[2]]) },
			func(m *yardMachine) { yardMulAddS(o, o, row(m), tq[m.uints[2]]) },
		}),
		func(*yardMachine) { yardScatter(d.out, o, addr) },
	}
	m := &yardMachine{}
	for h := range H {
		for i := range D {
			for j, x := range d.state[(h*D+i)*D:][:D] {
				private[j*D+i] = x
			}
		}
		for t := range T {
			m.uints[0], m.uints[1] = uint32((t*H+h)*D), uint32(t*H+h)
			m.run(token)
		}
	}
}

// yardstickK2 runs the 4-bit product with threadgroups of 256 threads, one
// simdgroup a row. Registers: uints 0 is the turn, 1 the nibble, 2 the row tile.
func yardstickK2(d *product4bit) {
	const N, words, groups = 256, productIn / 8, productIn / 64
	floats := func() []float32 { return make([]float32, N) }
	uints := func() []uint32 { return make([]uint32, N) }
	xs := make([]float32, productIn)
	tid, laneOf, row, rowW, rowG, w, w8, addr, packed, nibble, xi := uints(), uints(), uints(), uints(), uints(), uints(), uints(), uints(), uints(), uints(), uints()
	scale, bias, acc, value, xv, t, u, r := floats(), floats(), floats(), floats(), floats(), floats(), floats(), floats()
	for i := range tid {
		tid[i], laneOf[i] = uint32(i), uint32(i)%32
	}
	each := func(d []uint32, f func(i int) uint32) yardOp {
		return func(*yardMachine) {
			for i := range d {
				d[i] = f(i)
			}
		}
	}
	stage := yardLoop(0, productIn/N, []yardOp{
		func(m *yardMachine) {
			for i := range addr {
				addr[i] = tid[i] + m.uints[0]*N
			}
		},
		func(*yardMachine) { yardGather(t, d.x, addr) },
		func(*yardMachine) { yardScatter(xs, t, addr) },
	})
	nibbles := yardLoop(1, 8, []yardOp{
		func(m *yardMachine) {
			s := 4 * m.uints[1] & 31
			for i := range nibble {
				nibble[i] = packed[i] >> s
			}
		},
		func(*yardMachine) {
			for i := range nibble {
				nibble[i] &= 15
			}
		},
		func(*yardMachine) {
			for i := range value {
				value[i] = float32(nibble[i])
			}
		},
		func(m *yardMachine) {
			s := m.uints[1]
			for i := range xi {
				xi[i] = w8[i] + s
			}
		},
		func(*yardMachine) { yardGather(xv, xs, xi) },
		func(*yardMachine) {
			for i := range t {
				t[i] = scale[i] * xv[i]
			}
		},
		func(*yardMachine) {
			for i := range u {
				u[i] = bias[i] * xv[i]
			}
		},
		func(*yardMachine) {
			for i := range r {
				r[i] = yardFMA(value[i], t[i], u[i])
			}
		},
		func(*yardMachine) {
			for i := range r {
				r[i] += acc[i]
			}
		},
		func(*yardMachine) { copy(acc, r) },
	})
	turns := yardLoop(0, words/32, []yardOp{
		func(m *yardMachine) {
			for i := range w {
				w[i] = laneOf[i] + m.uints[0]*32
			}
		},
		each(addr, func(i int) uint32 { return rowW[i] + w[i] }),
		func(*yardMachine) { yardGather(packed, d.w, addr) },
		each(addr, func(i int) uint32 { return rowG[i] + w[i]>>3 }),
		func(*yardMachine) { yardGather(scale, d.scale, addr) },
		func(*yardMachine) { yardGather(bias, d.bias, addr) },
		each(w8, func(i int) uint32 { return w[i] << 3 }),
		nibbles,
	})
	m := &yardMachine{}
	for tile := range productOut / 8 {
		m.run([]yardOp{stage})
		for i := range row {
			row[i] = tid[i]>>5 + uint32(tile*8)
			rowW[i], rowG[i] = row[i]*words, row[i]*groups
		}
		clear(acc)
		m.run([]yardOp{turns})
		for lo := 0; lo < N; lo += 32 {
			sum := acc[lo]
			for _, x := range acc[lo+1 : lo+32] {
				sum += x
			}
			d.out[row[lo]] = sum
		}
	}
}

// yardFMA is a correctly rounded f32 fma from float64: the product is exact,
// and a sum that lies near a rounding boundary of f32 is rounded to odd.
func yardFMA(a, b, c float32) float32 {
	p := float64(a) * float64(b)
	s := p + float64(c)
	u := math.Float64bits(s)
	if u&0x1fffffff != 0x10000000 && u>>52&0x7ff >= 1023-126 || s-p == float64(c) && s-float64(c) == p {
		return float32(s)
	}
	return yardFMASlow(p, float64(c), s)
}

func yardFMASlow(p, c, s float64) float32 {
	if s == 0 || math.IsInf(s, 0) || s != s {
		return float32(s)
	}
	back := s - p
	if e := (p - (s - back)) + (c - back); e != 0 {
		u := math.Float64bits(s)
		if (e > 0) != (s > 0) {
			u--
		}
		s = math.Float64frombits(u | 1)
	}
	return float32(s)
}
