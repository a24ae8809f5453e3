package exact

import (
	"math/big"

	"metalconform/oracles"
)

// RoPE is the high-precision reference of [oracles.RoPE]. As there, the angle is
// the product rounded to f, or the product itself.
func RoPE(p oracles.Rotation, f oracles.Format) oracles.Reference {
	half, rows := len(p.InvFreq), len(p.X)/p.Width
	return func(i int) *big.Float {
		r, channel := i/p.Width, i%p.Width
		if channel >= 2*half {
			return num(p.X[i]).Float
		}
		first := r*p.Width + channel%half
		x, y := num(p.X[first]), num(p.X[first+half])
		angle := num(p.Positions[r*len(p.Positions)/rows]).times(num(p.InvFreq[channel%half]))
		if !p.ExactAngle {
			angle = angle.to(f)
		}
		sin, cos := angle.sincos()
		turned := x.times(cos).minus(y.times(sin))
		if channel >= half {
			turned = x.times(sin).plus(y.times(cos))
		}
		return turned.times(num(p.Scale)).Float
	}
}
