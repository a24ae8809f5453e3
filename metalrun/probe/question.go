package probe

import (
	"encoding/binary"
	"errors"
	"fmt"

	"metalconform/metalrun"
)

// question is a kernel with operands for which the answers differ.
type question struct {
	text string
	// source is the body of a kernel that makes of x, floats or bits of them, what goes to
	// y, with i as the thread's index in its simdgroup of 32 and g that of its group.
	source string
	in     func() []uint32
	groups int
	out    int // words of y, for all groups
	opts   metalrun.CompileOptions
	// answer tells from both what the device does.
	answer func(x, y []uint32) string
	ask    func(metalrun.Runner) (string, error) // in place of a kernel
}

var questions = []question{
	{text: "rounding", ask: rounding},
	{text: "float subnormals", source: subnormal("float", "uint"), in: bits(0x00200000, 0x00800000), groups: 1, out: 2,
		answer: flushing(0x00800000, 0x00200000)},
	{text: "half subnormals", source: subnormal("half", "ushort"), in: bits(0x0100, 0x0400), groups: 1, out: 2,
		answer: flushing(0x0400, 0x0100)},
	{text: "bfloat subnormals", source: subnormal("bfloat", "ushort"), in: bits(0x0020, 0x0080), groups: 1, out: 2,
		answer: flushing(0x0080, 0x0020)},
	{text: "a * b + c", source: "if (i == 0) y[0] = as_type<uint>(as_type<float>(x[0]) * as_type<float>(x[0]) + " +
		"as_type<float>(x[1]));",
		in: floats(1+0x1p-12, -(1 + 0x1p-11)), groups: 1, out: 1, answer: fused(0x1p-24)},
	{text: "c - a * b", source: "if (i == 0) y[0] = as_type<uint>(as_type<float>(x[1]) - as_type<float>(x[0]) * " +
		"as_type<float>(x[0]));",
		in: floats(1+0x1p-12, 1+0x1p-11), groups: 1, out: 1, answer: fused(-0x1p-24)},
	{text: "p = a * b; p + c",
		source: "float p = as_type<float>(x[0]) * as_type<float>(x[0]); if (i == 0) y[0] = as_type<uint>(p + " +
			"as_type<float>(x[1]));",
		in: floats(1+0x1p-12, -(1 + 0x1p-11)), groups: 1, out: 1, answer: fused(0x1p-24)},
	{text: "half a * b + c",
		source: "half a = as_type<float>(x[0]), c = as_type<float>(x[1]); half s = a * a + c; if (i == 0) y[0] = " +
			"as_type<uint>(float(s));",
		in: floats(1+0x1p-6, -(1 + 0x1p-5)), groups: 1, out: 1, answer: fused(0x1p-12)},
	{text: "simd_sum", source: "y[32 * g + i] = as_type<uint>(simd_sum(as_type<float>(x[32 * g + i])));",
		in: addends(32 * trials), groups: trials, out: 32 * trials, answer: simdOrder},
	{text: "simdgroup_matrix product",
		source: "device const float *f = (device const float *)x + 192 * g; simdgroup_float8x8 a, b, c;\n" +
			"simdgroup_load(a, f, 8); simdgroup_load(b, f + 64, 8); simdgroup_load(c, f + 128, 8);\n" +
			"simdgroup_multiply_accumulate(c, a, b, c); simdgroup_store(c, (device float *)y + 64 * g, 8);",
		in: addends(192 * trials), groups: trials, out: 64 * trials, answer: matrixOrder},
	{text: PragmaQuestion, opts: metalrun.CompileOptions{MathMode: metalrun.MathFast, FastFunctions: true},
		source: "if (i == 0) {\n#pragma METAL fp math_mode(safe)\n" + fmt.Sprintf(reassociated, 0, 1, 0) +
			"if (i == 0) {\n" + fmt.Sprintf(reassociated, 2, 3, 1),
		in: floats(1, 0x1p-30, 1, 0x1p-30), groups: 1, out: 2, answer: obeyed},
}

// PragmaQuestion asks whether a block can ask for safe math in a build with fast math, as the shaders do.
const PragmaQuestion = "pragma fp math_mode(safe)"

// PragmaUnseen is the answer where fast math does what safe math does.
const PragmaUnseen = "no answer: fast math reassociates nothing here"

// reassociated is a sum that safe math rounds to its first term, and of which fast math may leave the second alone.
const reassociated = "float a = as_type<float>(x[%[1]d]), b = as_type<float>(x[%[2]d]); " +
	"y[%[3]d] = as_type<uint>((a + b) - a); }\n"

// obeyed tells whether the first sum was computed as it stands, and the second was not.
func obeyed(_, y []uint32) string {
	const kept = 0x30800000 // 2⁻³⁰
	switch {
	case y[0] == 0 && y[1] == kept:
		return "obeyed"
	case y[0] == kept:
		return "ignored"
	case y[0] == 0 && y[1] == 0:
		return PragmaUnseen
	}
	return fmt.Sprintf("neither: %#x and %#x", y[0], y[1])
}

// trials is how many sets of operands tell orders of sums apart.
const trials = 16

func rounding(r metalrun.Runner) (string, error) {
	if err := metalrun.CheckRounding(r); err != nil {
		return err.Error(), err
	}
	return "to nearest, ties to even", nil
}

// answer asks the question.
func (p *prober) answer(q question) string {
	var text string
	var err error
	if q.ask != nil {
		text, err = q.ask(p.Runner)
	} else {
		text, err = p.launch(q)
	}
	p.saw(err)
	switch {
	case errors.Is(err, metalrun.ErrUnsupported):
		return "not supported"
	case err != nil:
		return "no answer: " + err.Error()
	}
	return text
}

func (p *prober) launch(q question) (string, error) {
	const head = "kernel void question(device const uint *x [[buffer(0)]], device uint *y [[buffer(1)]], " +
		"uint i [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {\n"
	k, release, err := p.kernel(head+q.source+"\n}\n", "question", q.opts)
	if err != nil {
		return "", err
	}
	defer release()
	x := q.in()
	in, out := encode(x), make([]byte, 4*q.out)
	if _, err := k.Run(metalrun.Dispatch{
		Bindings: []metalrun.Binding{{Index: 0, Data: in, Length: len(in)},
			{Index: 1, Data: out, Length: len(out)}},
		Threadgroups: metalrun.Size{X: q.groups, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
	}); err != nil {
		return "", err
	}
	return q.answer(x, decode(out)), nil
}

func encode(words []uint32) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func decode(b []byte) []uint32 {
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}
