package intrinsics

import "math"

// arguments are those of one measurement, by their number.
type arguments struct {
	count   int
	sampled bool
	at      func(i int) (x, y float32)
}

// special are arguments that no binade has.
var special = []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)),
	float32(math.NaN()), 1, -1, 0.5, 2}

const binades = 2 * 255 // of either sign, that of subnormals included

// arguments draws samples from every binade: its first and last number and others
// between. Second arguments are small in half of the pairs, and whole in a quarter. Where all
// floats are asked for, each is the first argument of one pair.
func (o Options) arguments(f Function) arguments {
	sample := func(i int) float32 {
		if i < len(special) {
			return special[i]
		}
		i -= len(special)
		n, binade := i%o.Samples, uint32(i/o.Samples)
		fraction := uint32(o.draw(i)) & 0x7fffff
		switch n {
		case 0:
			fraction = 0
		case 1:
			fraction = 0x7fffff
		}
		return math.Float32frombits(binade%2<<31 | binade/2<<23 | fraction)
	}
	second := func(i int) float32 {
		draw := o.draw(i + 1<<32)
		switch y := math.Float32frombits(uint32(draw)); draw >> 62 {
		case 0:
			return float32(int32(draw>>32)%64) / 4
		case 1:
			return float32(int32(draw>>32) % 32)
		default:
			return y
		}
	}
	if o.Exhaustive {
		return arguments{1 << 32, f.pairs, func(i int) (x, y float32) {
			if f.pairs {
				y = second(i)
			}
			return math.Float32frombits(uint32(i)), y
		}}
	}
	return arguments{len(special) + binades*o.Samples, true, func(i int) (float32, float32) {
		if f.pairs {
			return sample(i), second(i)
		}
		return sample(i), 0
	}}
}

// draw is the finaliser of SplitMix64.
func (o Options) draw(i int) uint64 {
	x := o.Seed + uint64(i+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
