package lanes

import "math"

const simdgroup = 32

// sum adds up whole simdgroups.
func sum(d, a []uint32) {
	for lo := 0; lo < len(d); lo += simdgroup {
		x := (*[simdgroup]float32)(f(a[lo:]))
		total := x[0]
		for _, v := range x[1:] {
			total += v
		}
		fill(d[lo:lo+simdgroup], math.Float32bits(total))
	}
}

// toLanes gives the lanes of each simdgroup its value.
func toLanes(d, a []uint32) {
	for g := range len(d) / simdgroup {
		fill(d[g*simdgroup:][:simdgroup], a[g])
	}
}

// addRuns adds weighted runs to rows by a loop of a·b + c.
func addRuns(mulAdd func(d, a, b, c []uint32)) func(d, w, words, first []uint32, step, rows int) {
	return func(d, w, words, first []uint32, step, rows int) {
		for k := range rows {
			row := d[k*len(w) : (k+1)*len(w)]
			for g := range len(w) / simdgroup {
				lanes, run := row[g*simdgroup:][:simdgroup], words[int(first[g])+k*step:]
				mulAdd(lanes, w[g*simdgroup:], run, lanes)
			}
		}
	}
}

func ascend(a []uint32) bool {
	differ := uint32(0)
	for lo := 0; lo < len(a); lo += simdgroup {
		for l, x := range a[lo : lo+simdgroup] {
			differ |= x - a[lo] - uint32(l)
		}
	}
	return differ == 0
}

// tiles does a matrix operation d += a·b for each simdgroup.
func tiles(product func(d, a, b *[64]float32)) func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32) {
	return func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32) {
		for lo := 0; lo < len(d0); lo += simdgroup {
			a, b, d := collect(a0[lo:], a1[lo:]), collect(b0[lo:], b1[lo:]), collect(c0[lo:], c1[lo:])
			product(&d, &a, &b)
			spread(&d, d0[lo:], d1[lo:])
		}
	}
}

// TileIndex is the index of a lane's first element in a row-major 8×8 matrix;
// the second follows it.
func TileIndex(lane int) int {
	q := lane / 4
	row := q&4 + lane/2%4
	col := (q&2)*2 + lane%2*2
	return row*8 + col
}

func collect(x0, x1 []uint32) (t [64]float32) {
	for l := range simdgroup {
		i := TileIndex(l)
		t[i], t[i+1] = math.Float32frombits(x0[l]), math.Float32frombits(x1[l])
	}
	return t
}

func spread(t *[64]float32, x0, x1 []uint32) {
	for l := range simdgroup {
		i := TileIndex(l)
		x0[l], x1[l] = math.Float32bits(t[i]), math.Float32bits(t[i+1])
	}
}
