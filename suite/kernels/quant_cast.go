package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/oracles"
	"metalconform/suite"
)

// cast is an element-wise conversion. Sources are declared as words, not as
// numbers: a family of inputs has to say which NaN it means.
func cast(name, doc string, from, to suite.Type, inputs []suite.Input, probe int) suite.Kernel {
	return suite.Kernel{
		Name: name,
		Doc:  doc,
		Axes: []suite.Axis{length},
		Args: suite.Args{
			suite.In("src", from, length),
			suite.Out("dst", to, length),
			suite.Const("n", suite.U32, length),
		},
		Grid:  suite.Flat(length, 256),
		Check: limits(atLeast(1, length)),
		Work:  suite.Work{Operations: none},
		Sweep: suite.Sweep{
			Shapes: suite.Around(suite.Shape{length: 1000},
				suite.Vary(length, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1009)),
			Full:    []suite.Shape{{length: 1 << 20}},
			Probes:  []suite.Shape{{length: 1000}, {length: probe}},
			Ends:    flatEnds(suite.Shape{}, length),
			Refused: []suite.Shape{{length: 0}},
			Inputs:  inputs,
		},
	}
}

func castF32BF16() suite.Kernel {
	kernel := cast("cast_f32_bf16_rne", "f32 to bf16, to nearest, ties to even.", suite.U32, suite.BF16,
		narrowing(oracles.BF16), aroundAll)
	kernel.Oracle = castOracle(oracles.F32, oracles.BF16)
	return kernel
}

func castF32BF16Truncated() suite.Kernel {
	kernel := cast("cast_f32_bf16_trunc",
		"f32 to bf16 by dropping the low 16 bits; a NaN whose payload lies only there becomes an infinity.",
		suite.U32, suite.U16, narrowing(oracles.BF16), aroundAll)
	kernel.Oracle = func(in *suite.Problem) suite.Answers {
		return suite.Answers{"dst": oracles.CastTruncated(in.Words("src"))}
	}
	return kernel
}

func castBF16F32() suite.Kernel {
	kernel := cast("cast_bf16_f32", "bf16 to f32, exact.", suite.U16, suite.F32, widening(), allHalves)
	kernel.Oracle = castOracle(oracles.BF16, oracles.F32)
	return kernel
}

func castF32F16() suite.Kernel {
	kernel := cast("cast_f32_f16_rne", "f32 to f16, to nearest, ties to even.", suite.U32, suite.F16,
		narrowing(oracles.F16), aroundAll)
	kernel.Oracle = castOracle(oracles.F32, oracles.F16)
	return kernel
}

func castF16F32() suite.Kernel {
	kernel := cast("cast_f16_f32", "f16 to f32, exact.", suite.U16, suite.F32, widening(), allHalves)
	kernel.Oracle = castOracle(oracles.F16, oracles.F32)
	return kernel
}

func castOracle(from, to oracles.Format) func(*suite.Problem) suite.Answers {
	return func(in *suite.Problem) suite.Answers {
		return suite.Answers{"dst": oracles.Cast(in.Words("src"), from, to)}
	}
}

const (
	allHalves = 1 << 16       // words of 16 bits
	aroundAll = 6 * allHalves // the words of 32 bits that the family "exhaustive" has round them
)

// widening are the families of a cast from 16 bits.
func widening() []suite.Input {
	return []suite.Input{
		{Name: "any", Fills: suite.Fills{"src": suite.AnyBits}},
		{Name: "exhaustive", Only: atLength(allHalves),
			Fills: suite.Fills{"src": func(_ *rand.Rand, _ suite.Shape, x []float64) {
				for i := range x {
					x[i] = float64(i % allHalves)
				}
			}}},
	}
}

// narrowing are the families of a cast from f32 to a format of 16 bits.
func narrowing(to oracles.Format) []suite.Input {
	return []suite.Input{
		{Name: "any", Fills: suite.Fills{"src": suite.AnyBits}},
		{Name: "special", Fills: suite.Fills{"src": cycling(specialWords())}},
		{Name: "nan_low_payload", Fills: suite.Fills{"src": cycling(lowPayloads())}},
		{Name: "exhaustive", Only: atLength(aroundAll), Fills: suite.Fills{"src": exhaustive(to)}},
	}
}

// atLength keeps a family that takes so many elements to shapes that have
// them all.
func atLength(n int) func(suite.Shape) bool {
	return func(s suite.Shape) bool { return s[length] >= n }
}

// exhaustive goes through every word of the format with all that may round to
// it or next to it.
func exhaustive(f oracles.Format) suite.Fill {
	return func(_ *rand.Rand, _ suite.Shape, x []float64) {
		for i := 0; i < len(x); i += 6 {
			for j, w := range wordsRound(f, uint32(i/6%allHalves)) {
				if i+j < len(x) {
					x[i+j] = float64(w)
				}
			}
		}
	}
}

// wordsRound are six words of f32 for a word of a format of 16 bits: the same
// number, its neighbours, the midpoint to the next number away from zero, and
// the midpoint's neighbours. The midpoint of the largest number is where
// overflow begins. A NaN, and an infinity, has payloads instead of a midpoint:
// below the lowest bit that the format keeps.
func wordsRound(f oracles.Format, half uint32) [6]uint32 {
	dropped := 24 - f.Precision() // bits of the significand that the format does not keep
	var word, middle uint32
	if x := f.FromBits(half); math.IsNaN(x) || math.IsInf(x, 0) {
		payload := half & (1<<(f.Precision()-1) - 1)
		word = half>>15<<31 | math.Float32bits(float32(math.Inf(1))) | payload<<dropped
		middle = word | 1<<(dropped-1)
	} else {
		next := f.FromBits(half + 1)
		if math.IsInf(next, 0) {
			next = math.Copysign(math.Ldexp(1, f.MaxExponent()+1), x)
		}
		word = math.Float32bits(float32(x))
		middle = math.Float32bits(float32((x + next) / 2))
	}
	return [6]uint32{word, word + 1, word - 1, middle - 1, middle, middle + 1}
}

// cycling repeats words, each with either sign.
func cycling(words []uint32) suite.Fill {
	return func(_ *rand.Rand, _ suite.Shape, x []float64) {
		for i := range x {
			x[i] = float64(words[i/2%len(words)] | uint32(i%2)<<31)
		}
	}
}

// specialWords are f32 words without sign where formats begin and end, and NaN
// of all classes.
func specialWords() []uint32 {
	words := []uint32{
		0x7fc00000, 0x7fffffff, 0x7fc00001, // quiet: no payload, a full one, a low one
		0x7fa00000, 0x7fbfffff, 0x7f810000, // signalling: high payloads, and bf16's lowest
		0x7f802000, 0x7f801fff, // f16's lowest, and all below it
	}
	words = append(words, lowPayloads()...)
	for _, x := range []float64{
		0, 0x1p-149, 0x1.fffffcp-127, 0x1p-126, 1, math.MaxFloat32, math.Inf(1),
		0x1p-133, 0x1p-134, // bf16's smallest, and half of it
		0x1.fep127, 0x1.ffp127, // bf16's largest, and where overflow begins
		0x1p-14, 0x1.ff8p-15, 0x1p-24, 0x1p-25, // f16's normal and subnormal numbers, and half of the smallest
		65504, 65520, 65536, // f16's largest, where overflow begins, and what it would be next
	} {
		w := math.Float32bits(float32(x))
		words = append(words, w, w+1, max(w, 1)-1)
	}
	return words
}

// lowPayloads are NaN, without sign, that have nothing in their upper halves
// but the exponent.
func lowPayloads() []uint32 {
	return []uint32{0x7f800001, 0x7f808000, 0x7f80ffff, 0x7f801234}
}
