package oracles

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"
)

func sin32(x float32) float32 { return float32(math.Sin(float64(x))) }
func cos32(x float32) float32 { return float32(math.Cos(float64(x))) }

// rope32 is a plain f32 evaluation; fault tells which mistake to make.
func rope32(p Rotation, fault string) []float32 {
	x := narrow(p.X)
	half, rows := len(p.InvFreq), len(x)/p.Width
	for r := range rows {
		for i, f := range p.InvFreq {
			angle := float32(p.Positions[r*len(p.Positions)/rows]) * float32(f)
			a, b := &x[r*p.Width+i], &x[r*p.Width+i+half]
			s, c, scale := sin32(angle), cos32(angle), float32(p.Scale)
			switch fault {
			case "interleaved":
				a, b = &x[r*p.Width+2*i], &x[r*p.Width+2*i+1]
			case "distance of the width":
				b = &x[r*p.Width+i+p.Width/2]
			case "f32 reduction":
				turns := float32(math.Floor(float64(angle / 6.2831853)))
				s = sin32(angle - float32(turns*6.2831853))
			case "backwards":
				s = -s
			case "no scale":
				scale = 1
			case "bf16":
				s, c = bfloat(s), bfloat(c)
			}
			s, c = s*scale, c*scale
			*a, *b = float32(*a*c)-float32(*b*s), float32(*a*s)+float32(*b*c)
		}
	}
	return x
}

// rotation makes a problem of rows at several positions, with a tail of
// channels that do not turn.
func rotation(name, family string, positions []float64, scale float64) Rotation {
	const half, width, rows = 16, 48, 3
	p := Rotation{Width: width, Positions: positions, Scale: F32.Round(scale),
		X: inputs(source(name, 1), family, F32, rows*len(positions)*width)}
	for i := range half {
		p.InvFreq = append(p.InvFreq, F32.Round(math.Pow(1e4, -float64(i)/half)))
	}
	return p
}

var ropePositions = []float64{0, 1, 4095, 4096, 32767, 262143}

func TestRoPEAgreesWithTransformers(t *testing.T) {
	a := load(t, "rope_partial")
	heads, width := a["x"].Shape[1], a["x"].Shape[3]
	for h := range heads {
		n := len(a["positions"].Data) * width
		p := Rotation{
			X: a["x"].Data[h*n : (h+1)*n], Width: width, InvFreq: a["inv_freq"].Data,
			Positions: a["positions"].Data, Scale: 1, ExactAngle: true,
		}
		agree(t, "x", RoPE(p, Contract{}).Want, a["out"].Data[h*n:(h+1)*n])
	}
}

// TestRoPEAsComplexProduct turns x + iy by e^{iθ}, with θ a number of the
// format.
func TestRoPEAsComplexProduct(t *testing.T) {
	p := rotation("complex", "normal", ropePositions, 1.5)
	want := slices.Clone(p.X)
	rows := len(p.X) / p.Width
	for r := range rows {
		for i, f := range p.InvFreq {
			theta := float64(float32(p.Positions[r/3]) * float32(f))
			z := complex(p.X[r*p.Width+i], p.X[r*p.Width+i+16]) * cmplx.Rect(p.Scale, theta)
			want[r*p.Width+i], want[r*p.Width+i+16] = real(z), imag(z)
		}
	}
	agree(t, "x", RoPE(p, Contract{}).Want, want)
}

func TestRoPEBudget(t *testing.T) {
	for _, family := range families {
		for _, scale := range []float64{1, 1.3688879} {
			name := fmt.Sprintf("%s/scale=%g", family, scale)
			p := rotation(name, family, ropePositions, scale)
			a := RoPE(p, Contract{})
			within(t, name, a, rope32(p, ""))
			for i := range a.Want {
				if i%p.Width >= 32 && (a.Want[i] != p.X[i] || a.Bound(i) != 0) {
					t.Fatalf("%s: channel %d turns", name, i%p.Width)
				}
			}
			exact := p
			exact.ExactAngle = true
			within(t, name+", exact angles", RoPE(exact, Contract{}), rope32(p, ""))
			if family != "normal" {
				continue
			}
			for _, fault := range []string{"interleaved", "distance of the width", "f32 reduction", "backwards",
				"bf16"} {
				beyond(t, name+" "+fault, a, rope32(p, fault))
			}
			if scale != 1 {
				beyond(t, name+" no scale", a, rope32(p, "no scale"))
			}
		}
	}
}

// TestRoPEOfFastFunctions: within half a turn the fast functions are held to
// 2⁻¹³, beyond it to nothing.
func TestRoPEOfFastFunctions(t *testing.T) {
	fast := Contract{Functions: Fast}
	near, far := rotation("fast", "positive", []float64{3}, 1), rotation("fast", "positive", []float64{4}, 1)
	a := RoPE(near, fast)
	within(t, "near", a, rope32(near, ""))
	if b := a.Bound(0); !(b > 0x1p-13 && b < 4*0x1p-13) {
		t.Errorf("bound %g at 3, want about two errors of 2⁻¹³", b)
	}
	beyond(t, "near, backwards", a, rope32(near, "backwards"))
	a = RoPE(far, fast)
	if !math.IsInf(a.Bound(0), 1) || !math.IsInf(a.Bound(16), 1) {
		t.Errorf("bounds %g, %g at 4, want +Inf", a.Bound(0), a.Bound(16))
	}
	if b := a.Bound(1); math.IsInf(b, 1) { // the second frequency is still near
		t.Errorf("bound %g at 4·10^{−1/4}", b)
	}
}

// TestRoPEInvariants: position 0 leaves x as it is, turns add up, and lengths stay.
func TestRoPEInvariants(t *testing.T) {
	p := rotation("invariants", "wide", []float64{0}, 1)
	agree(t, "at position 0", RoPE(p, Contract{}).Want, p.X)
	turn := func(p Rotation, position float64) Rotation {
		p.Positions, p.ExactAngle = []float64{position}, true
		p.X = RoPE(p, Contract{}).Want
		return p
	}
	agree(t, "two turns", turn(turn(p, 5), 700).X, turn(p, 705).X)
	turned := turn(p, 123)
	for r := 0; r < len(p.X); r += p.Width {
		if got, want := norm(turned.X[r:r+p.Width]), norm(p.X[r:r+p.Width]); math.Abs(got/want-1) > 1e-14 {
			t.Errorf("length %v, want %v", got, want)
		}
	}
	if a := RoPE(Rotation{Width: 4, InvFreq: []float64{1, 1}, Scale: 1}, Contract{}); len(a.Want) != 0 {
		t.Errorf("no rows give %d elements", len(a.Want))
	}
}

// TestRoPESmallAngles has angles below the smallest normal number, which a
// device may take for 0.
func TestRoPESmallAngles(t *testing.T) {
	p := rotation("small", "normal", []float64{1, 3}, 1)
	flushed := p
	flushed.InvFreq = make([]float64, len(p.InvFreq))
	for i := range p.InvFreq {
		p.InvFreq[i] = math.Ldexp(1, -127-i)
	}
	a := RoPE(p, Contract{})
	within(t, "kept", a, rope32(p, ""))
	within(t, "flushed", a, rope32(flushed, ""))
}

func TestNonFiniteRoPE(t *testing.T) {
	p := rotation("nonfinite", "normal", []float64{1, 4096}, 1.5)
	spoiled(map[string][]float64{"x": p.X, "inv_freq": p.InvFreq}, func(name string) {
		strict(t, name, RoPE(p, Contract{}), rope32(p, ""))
	})
}

func TestTurn(t *testing.T) {
	const u = 0x1p-24
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"precise sin", Accuracy{Functions: Precise}.Turn("sin", 1e5, 0.5), 0.5 * 8 * u},
		{"precise sin 0", Accuracy{Functions: Precise}.Turn("sin", 0, 0), 0},
		{"fast cos", Accuracy{Functions: Fast}.Turn("cos", -math.Pi, -1), 0x1p-13},
		{"fast sin beyond", Accuracy{Functions: Fast}.Turn("sin", 3.15, -0.0084), math.Inf(1)},
	} {
		if test.got != test.want {
			t.Errorf("%s: %g, want %g", test.name, test.got, test.want)
		}
	}
}

// TestRoPEThatMayOverflow: nothing is promised of a pair that overflows when it is
// scaled before it turns.
func TestRoPEThatMayOverflow(t *testing.T) {
	p := Rotation{X: []float64{1e-3, 3e38, 3e38, 1}, Width: 2, InvFreq: []float64{0}, Positions: []float64{5},
		Scale: 1.3}
	a := RoPE(p, Contract{})
	p.Scale = 1
	plain := RoPE(p, Contract{})
	for i := range p.X {
		if !math.IsInf(a.Bound(i), 1) || math.IsInf(plain.Bound(i), 1) {
			t.Errorf("element %d: bound %g, and %g without a scale: want the first alone open", i, a.Bound(i),
				plain.Bound(i))
		}
	}
}
