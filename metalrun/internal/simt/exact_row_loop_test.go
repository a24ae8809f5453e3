package simt

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/machine"
)

// recurrence is a kernel with a state of 24 rows that loops change token by token: the inputs of a token
// are the 24 numbers from 24·t on.
func recurrence(turn string) string {
	return `#include <metal_stdlib>
using namespace metal;
kernel void f(device float* out, device const float* in, constant uint& tokens, constant float& decay,
              uint i [[thread_index_in_threadgroup]]) {
    threadgroup float k[24];
    float s[24], last = 0;
    for (uint j = 0; j < 24; j++) s[j] = in[j + i] * 0.3f;
    for (uint t = 0; t < tokens; t++) {
        threadgroup_barrier(mem_flags::mem_threadgroup);
        k[i % 24] = in[24 * t + i % 24];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        const float a = decay, x = exp(in[t + i]);
        float sum = 0;
        ` + turn + `
        last = sum + x;
    }
    for (uint j = 0; j < 24; j++) out[24 * i + j] = s[j] + last;
}`
}

// turnForms are turns, and how many loops of theirs one call can do.
var turnForms = []struct {
	name, turn string
	calls      int
}{
	{"sum", "for (uint j = 0; j < 24; j++) sum += s[j] * k[j]; s[3] += sum;", 1},
	{"scaled", "for (uint j = 0; j < 24; j++) { s[j] *= a; sum += k[j] * s[j]; }", 1},
	{"updated", "for (uint j = 0; j < 24; j++) { s[j] += x * k[j]; sum += s[j] * k[j]; }", 1},
	{"delta rule",
		"for (uint j = 0; j < 24; j++) { s[j] *= a; sum += k[j] * s[j]; } const float d = x * (in[i] - sum); " +
			"float o = 0; " +
			"for (uint j = 0; j < 24; j++) { s[j] += k[j] * d; o += s[j] * in[j + 1]; } sum = o;", 2},
	{"uncertain scale", "const float b = exp(-a); for (uint j = 0; j < 24; j++) { s[j] *= b; sum += k[j] * s[j]; }", 1},
	{"scale of a lane", "for (uint j = 0; j < 24; j++) { s[j] *= x; sum += k[j] * s[j]; }", 0},
	{"other row", "for (uint j = 0; j < 23; j++) { s[j] *= a; sum += k[j] * s[j + 1]; }", 0},
	{"before the change", "for (uint j = 0; j < 24; j++) { const float y = s[j]; s[j] *= a; sum += k[j] * y; }", 0},
	{"two sums", "float o = 0; for (uint j = 0; j < 24; j++) { sum += s[j] * k[j]; o += s[j]; } sum += o;", 0},
	{"product kept", "float p = 0; for (uint j = 0; j < 24; j++) { p = s[j] * k[j]; sum += p; } sum += p;", 0},
}

// TestBallTurns does loops in one call and turn by turn: what they compute and the exact values are
// the same bits, and the bounds are the same but for terms of second order.
func TestBallTurns(t *testing.T) {
	for _, form := range turnForms {
		p := Compile(lower(t, recurrence(form.turn)), machine.Options{Exact: true})
		if n := countTurns(p.Body); n != form.calls {
			t.Errorf("%s: %d loops are done by one call, want %d", form.name, n, form.calls)
		}
		for _, threads := range []int{32, 24, 20, 40} {
			for _, odd := range []float32{1, 0, float32(math.Inf(1)), 1e38} {
				name := fmt.Sprintf("%s, %d threads, %g among the inputs", form.name, threads, odd)
				input := floats(24*5 + 64)
				copy(input[4*29:], littleEndian([]uint32{math.Float32bits(odd)}))
				got, gotBalls := runTurns(t, p, threads, input, false)
				want, wantBalls := runTurns(t, p, threads, input, true)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: got %v, turn by turn %v", name, got, want)
				}
				for i, x := range gotBalls {
					y := wantBalls[i]
					if math.Float64bits(x.X) != math.Float64bits(y.X) && x.X == x.X || x.Known() != y.Known() ||
						y.Known() && !(x.E >= y.E*(1-0x1p-40) && x.E <= y.E*(1+0x1p-13)) {
						t.Fatalf("%s: element %d: got %v, turn by turn %v", name, i, x, y)
					}
				}
			}
		}
	}
}

// runTurns launches such a kernel. With a look at the ranges of values loops go iteration by iteration.
func runTurns(t *testing.T, p *Program, threads int, input []byte, oneByOne bool) ([]uint32, []ball.Ball) {
	t.Helper()
	out, balls := make([]byte, 24*4*threads), make([]ball.Ball, 24*threads)
	size := machine.Size{threads, 1, 1}
	if err := p.Run(Launch{Threads: size, PerGroup: size, Ranges: oneByOne, Buffers: []machine.Buffer{
		{Index: 0, Bytes: out, Exact: balls}, {Index: 1, Bytes: input}, {Index: 2, Bytes: littleEndian([]uint32{4})},
		{Index: 3, Bytes: littleEndian([]uint32{math.Float32bits(0.9)})},
	}}); err != nil {
		t.Fatal(err)
	}
	return words(out), balls
}

// countTurns counts the loops that one call does.
func countTurns(nodes machine.List) (n int) {
	for _, x := range nodes {
		switch x := x.(type) {
		case *exact.RowLoop:
			n++
		case *machine.Counted:
			n += countTurns(x.Body)
		case *machine.Loop:
			n += countTurns(x.Body)
		}
	}
	return n
}
