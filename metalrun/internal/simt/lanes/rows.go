package lanes

import "math"

func dotRows(d, rows []uint32, stride int, t []uint32) {
	for k, x := range t {
		mulAddVSV(f(d), f(rows[k*stride:k*stride+len(d)]), math.Float32frombits(x), f(d))
	}
}

func scaleRows(d, rows []uint32, s uint32, t []uint32) {
	n := len(d)
	for k, x := range t {
		row := f(rows[k*n : (k+1)*n])
		mulVS(row, row, math.Float32frombits(s))
		mulAddVSV(f(d), row, math.Float32frombits(x), f(d))
	}
}

func updateRows(d, rows, a, t, u []uint32) {
	n := len(d)
	for k, x := range t {
		row := f(rows[k*n : (k+1)*n])
		mulAddVSV(row, f(a), math.Float32frombits(x), row)
		mulAddVSV(f(d), row, math.Float32frombits(u[k]), f(d))
	}
}

// dotRuns adds products of runs to each simdgroup by a loop that adds those of as many rows of a and b.
func dotRuns(pairs func(d, a, b []uint32, stride, rows int)) func(d, a, b, firstA, firstB []uint32, step, turns int) {
	return func(d, a, b, firstA, firstB []uint32, step, turns int) {
		for lo := 0; lo < len(d); lo += simdgroup {
			g := lo / simdgroup
			pairs(d[lo:min(lo+simdgroup, len(d))], a[firstA[g]:], b[firstB[g]:], step, turns)
		}
	}
}

func dotPairs(d, a, b []uint32, stride, rows int) {
	for k := range rows {
		first, end := k*stride, k*stride+len(d)
		mulAddVVV(f(d), f(a[first:end]), f(b[first:end]), f(d))
	}
}

func dotGathered(d, words, first, t []uint32) {
	for l, sum := range f(d) {
		row := f(words[first[l] : int(first[l])+len(t)])
		for k, x := range f(t) {
			sum += float32(row[k] * x)
		}
		f(d)[l] = sum
	}
}
