package ir_test

import (
	"strings"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/irtest"
)

var contractCases = []struct {
	name, body string
	want       string // operations on floats that remain, in order
}{
	{"sum", "a[0] = x * y + z;", "fma"},
	{"product on the right", "a[0] = z + x * y;", "fma"},
	{"difference", "a[0] = x * y - z;", "neg fma"},
	{"subtracted product", "a[0] = z - x * y;", "neg fma"},
	{"negated product", "a[0] = -(x * y) + z;", "neg fma"},
	{"negated product subtracted", "a[0] = z - -(x * y);", "fma"},
	{"the left one of two products", "a[0] = x * y + z * x;", "mul fma"},
	{"chain", "a[0] = x * y + y * z + z * x;", "mul fma fma"},
	{"halves", "half h = x; a[0] = float(h * h + h);", "fma"},
	{"compound assignment", "float s = z; s += x * y; a[0] = s;", "fma"},
	{"two statements", "float p = x * y; a[0] = p + z;", "mul add"},
	{"two readers", "float p; a[0] = (p = x * y) + z; a[1] = p;", "mul add"},
	{"across a call", "a[0] = twice(x) + z;", "mul add"},
	{"by pragma", "a[0] = apart(x, y, z);", "mul add"},
	{"operand set in between", "float v = x; a[0] = v * y + (v = z);", "mul add"},
	{"branch in between", "a[0] = x * y + (z > 0 ? z : x);", "fma"},
	{"in a loop", "float s = z; for (int i = 0; i < 9; i++) { if (a[i] > 4) break; s = s * x + y; } a[0] = s;", "fma"},
}

func TestContract(t *testing.T) {
	for _, c := range contractCases {
		t.Run(c.name, func(t *testing.T) {
			k := irtest.Lower(t, `#include <metal_stdlib>
using namespace metal;
static float twice(float x) { return x * 2; }
static float apart(float x, float y, float z)
{
#pragma METAL fp contract(off)
    return x * y + z;
}
kernel void f(device float* a [[buffer(0)]], constant float& x [[buffer(1)]], constant float& y [[buffer(2)]], constant float& z [[buffer(3)]])
{
`+c.body+"\n}\n")
			before := k.String()
			contracted := ir.Contract(k, nil)
			if err := ir.Verify(contracted); err != nil {
				t.Fatalf("%v\n%s", err, contracted)
			}
			if k.String() != before {
				t.Error("the original kernel has changed")
			}
			if got := floatOperations(contracted); got != c.want {
				t.Errorf("got %q, want %q\n%s", got, c.want, contracted)
			}
		})
	}
}

func floatOperations(k *ir.Kernel) string {
	var names []string
	for in := range ir.Instrs(k.Body...) {
		switch in.Op {
		case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.FMA:
			if k.Regs[in.Dst[0]].Type.IsFloat() {
				names = append(names, in.Op.String())
			}
		}
	}
	return strings.Join(names, " ")
}
