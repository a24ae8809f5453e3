package machine

// extrema are the reductions of floats that do not round.
var Extrema = map[string]func(x []float32) float32{"simd_max": Largest, "quad_max": Largest, "simd_min": Least,
	"quad_min": Least}

// Largest is scalar.Fmax of all, in order.
func Largest(x []float32) float32 {
	most := x[0]
	for _, v := range x[1:] {
		if most < v || most != most {
			most = v
		}
	}
	return most
}

// Least is scalar.Fmin of all, in order.
func Least(x []float32) float32 {
	least := x[0]
	for _, v := range x[1:] {
		if v < least || least != least {
			least = v
		}
	}
	return least
}

// Reduce combines the active lanes in the given order, or by drawn pairs. It works in place.
func Reduce(v []Element, on []bool, combine func(a, b Element) Element, order SumOrder, pairs [][2]int) (Element,
	bool) {
	join := func(i, j int) {
		switch {
		case on[i] && on[j]:
			v[i] = combine(v[i], v[j])
		case on[j]:
			v[i], on[i] = v[j], true
		}
	}
	if pairs != nil {
		for _, p := range pairs {
			join(p[0], p[1])
		}
		return v[0], on[0]
	}
	switch order {
	case Butterfly:
		for d := len(v) / 2; d > 0; d /= 2 {
			for i := range d {
				join(i, i+d)
			}
		}
	case Tree:
		for d := 1; d < len(v); d *= 2 {
			for i := 0; i < len(v); i += 2 * d {
				join(i, i+d)
			}
		}
	default:
		for i := 1; i < len(v); i++ {
			join(0, i)
		}
	}
	return v[0], on[0]
}

// DrawnPrefix gives each active lane the sum of those before it, added up by pairs.
func (m *Machine) DrawnPrefix(lo, hi, width int, exclusive bool, v, d *Elements,
	combine func(a, b Element) Element, neutral Element, pairs [][2]int) {
	var results [Simdgroup]Element
	for l := lo; l < hi; l++ {
		var before [Simdgroup]Element
		var on [Simdgroup]bool
		for k := lo; k < l || k == l && !exclusive; k++ {
			before[k-lo], on[k-lo] = v.At(k), m.Mask[k] != 0
		}
		total, any := Reduce(before[:width], on[:width], combine, Ascending, pairs)
		if !any {
			total = neutral
		}
		results[l-lo] = total
	}
	for l := lo; l < hi; l++ {
		if m.Mask[l] != 0 {
			d.Set(l, results[l-lo])
		}
	}
}
