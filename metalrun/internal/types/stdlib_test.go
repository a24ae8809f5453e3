package types

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// argument makes an operand of the type that text names: "float4" is a value,
// "thread int &" a variable, "device atomic_uint *" a pointer.
func argument(t *testing.T, text string) operand {
	t.Helper()
	words := strings.Fields(text)
	var space hir.Space
	lvalue, pointer, readOnly := false, false, false
	var typ hir.Type
	for _, w := range words {
		switch w {
		case "thread":
			space = syntax.Thread
		case "device":
			space = syntax.Device
		case "threadgroup":
			space = syntax.Threadgroup
		case "constant":
			space = syntax.Constant
		case "const":
			readOnly = true
		case "*":
			pointer = true
		case "&":
			lvalue = true
		default:
			typ = plainBuiltin(w)
			if k, ok := atomicNames[w]; ok {
				typ = hir.Atomic{Elem: k}
			}
			if typ == nil {
				typ = stdNamedType(w)
			}
		}
	}
	if typ == nil {
		t.Fatalf("argument %q names no type", text)
	}
	if pointer {
		typ = &hir.Pointer{Elem: typ, Space: space, Const: readOnly}
	}
	return operand{expr: &hir.VarExpr{Node: hir.At(syntax.Pos{}, typ), Var: &hir.Var{Type: typ}}, lvalue: lvalue,
		const_: readOnly && !pointer, space: space}
}

// resolve names the function of the library that a call means.
func resolve(t *testing.T, name, precision, args string) string {
	t.Helper()
	var ops []operand
	if args != "" {
		for _, a := range strings.Split(args, ", ") {
			ops = append(ops, argument(t, a))
		}
	}
	var sigs []*signature
	for _, s := range library()[name] {
		if precision == "" || s.row.prec {
			sigs = append(sigs, s)
		}
	}
	found := candidates(sigs, nil, precision, ops)
	if len(found) == 0 {
		return "none"
	}
	best, rival := choose(found)
	if rival != nil {
		return "ambiguous"
	}
	return best.String() + " " + best.sig.result.in(best.t).String()
}

var overloadCases = []struct{ name, precision, args, want string }{
	{"max", "", "float, float", "max(float, float) float"},
	{"max", "", "half, half", "max(half, half) half"},
	{"max", "", "uchar, uchar", "max(uchar, uchar) uchar"},
	{"max", "", "long, long", "max(long, long) long"},
	{"max", "", "float, int", "ambiguous"},
	{"max", "", "int, uint", "ambiguous"},
	{"max", "", "half, float", "ambiguous"},
	{"max", "", "ushort, int", "ambiguous"},
	{"max", "", "bool, int", "max(int, int) int"}, // bool promotes
	{"max", "", "bfloat, bfloat", "ambiguous"},
	{"max", "", "float4, float", "max(float4, float4) float4"},
	{"max", "", "float, float3", "max(float3, float3) float3"},
	{"max", "", "float4, int", "max(float4, float4) float4"},
	{"max", "", "float4, float3", "none"},
	{"max", "", "float4, half4", "none"},
	{"max", "", "packed_float3, float3", "max(float3, float3) float3"},
	{"pow", "", "float, int", "pow(float, float) float"},
	{"pow", "", "half, int", "pow(half, half) half"},
	{"pow", "", "half, float", "ambiguous"},
	{"pow", "", "int, int", "ambiguous"},
	{"sqrt", "", "int", "ambiguous"},
	{"sqrt", "", "bfloat", "sqrt(float) float"}, // bfloat has no conversion to half
	{"exp", "precise", "half", "precise::exp(float) float"},
	{"exp", "fast", "float2", "fast::exp(float2) float2"},
	{"exp", "fast", "half2", "none"},
	{"clamp", "", "float4, float, float", "clamp(float4, float4, float4) float4"},
	{"clamp", "", "float, int, int", "ambiguous"},
	{"clamp", "", "int, int, int", "clamp(int, int, int) int"},
	{"mix", "", "half3, half3, float", "mix(half3, half3, half3) half3"},
	{"fma", "", "float, half, float", "ambiguous"},
	{"ldexp", "", "float, int", "ldexp(float, int) float"},
	{"ldexp", "", "float4, int", "ldexp(float4, int4) float4"},
	{"ldexp", "", "half, uint", "ldexp(half, int) half"},
	{"ilogb", "", "half2", "ilogb(half2) int2"},
	{"frexp", "", "float, thread int &", "frexp(float, int) float"},
	{"frexp", "", "float2, thread int2 &", "frexp(float2, int2) float2"},
	{"frexp", "", "float, thread uint &", "none"},
	{"frexp", "", "float, device int &", "none"},
	{"frexp", "", "float, thread const int &", "none"},
	{"frexp", "", "float, int", "none"},
	{"modf", "", "half, thread half &", "modf(half, half) half"},
	{"modf", "", "half, thread float &", "modf(float, float) float"},
	{"isnan", "", "float3", "isnan(float3) bool3"},
	{"isunordered", "", "bfloat, bfloat", "isunordered(float, float) bool"},
	{"select", "", "float4, float4, bool4", "select(float4, float4, bool4) float4"},
	{"select", "", "float4, float4, bool", "select(float4, float4, bool4) float4"},
	{"select", "", "uchar, uchar, bool", "select(uchar, uchar, bool) uchar"},
	{"select", "", "int, float, bool", "ambiguous"},
	{"all", "", "bool3", "all(bool3) bool"},
	{"all", "", "int3", "none"},
	{"absdiff", "", "char2, char2", "absdiff(char2, char2) uchar2"},
	{"absdiff", "", "ulong, ulong", "absdiff(ulong, ulong) ulong"},
	{"extract_bits", "", "int, int, int", "extract_bits(int, uint, uint) int"},
	{"mul24", "", "short, short", "mul24(int, int) int"},
	{"dot", "", "half4, half4", "dot(half4, half4) half"},
	{"dot", "", "float, float", "ambiguous"},
	{"cross", "", "float2, float2", "none"},
	{"refract", "", "float3, float3, float", "refract(float3, float3, float) float3"},
	{"length", "precise", "float3", "precise::length(float3) float"},
	{"transpose", "", "float2x3", "transpose(float2x3) float3x2"},
	{"determinant", "", "half3x3", "determinant(half3x3) half"},
	{"determinant", "", "half3x2", "none"},
	{"simd_sum", "", "float", "simd_sum(float) float"},
	{"simd_sum", "", "uchar4", "simd_sum(uchar4) uchar4"},
	{"simd_sum", "", "long", "ambiguous"},
	{"simd_sum", "", "bool", "simd_sum(int) int"},
	{"simd_sum", "", "bfloat", "simd_sum(bfloat) bfloat"},
	{"simd_and", "", "uint", "simd_and(uint) uint"},
	{"simd_shuffle", "", "float, uint", "simd_shuffle(float, ushort) float"},
	{"simd_ballot", "", "int", "simd_ballot(bool) simd_vote"},
	{"quad_all", "", "bool", "quad_all(bool) bool"},
	{"simd_vote.all", "", "simd_vote", "simd_vote.all(simd_vote) bool"},
	{"simdgroup_load", "", "thread simdgroup_float8x8 &, const device float *",
		"simdgroup_load(simdgroup_float8x8, float) void"},
	{"simdgroup_load", "", "thread simdgroup_half8x8 &, threadgroup half *, int, ulong2, bool",
		"simdgroup_load(simdgroup_half8x8, half, ulong, ulong2, bool) void"},
	{"simdgroup_load", "", "thread simdgroup_half8x8 &, threadgroup half *, int, int, bool",
		"simdgroup_load(simdgroup_half8x8, half, ulong, ulong2, bool) void"},
	{"simdgroup_load", "", "thread simdgroup_half8x8 &, device float *", "none"},
	{"simdgroup_store", "", "simdgroup_bfloat8x8, const device bfloat *", "none"},
	{"simdgroup_multiply_accumulate", "",
		"thread simdgroup_float8x8 &, simdgroup_half8x8, simdgroup_half8x8, simdgroup_float8x8",
		"simdgroup_multiply_accumulate(simdgroup_float8x8, simdgroup_void8x8, simdgroup_void8x8, " +
			"simdgroup_float8x8) void"},
	{"simdgroup_multiply_accumulate", "",
		"thread simdgroup_half8x8 &, simdgroup_half8x8, simdgroup_half8x8, simdgroup_float8x8", "none"},
	{"atomic_fetch_add_explicit", "", "device atomic_uint *, int, memory_order",
		"atomic_fetch_add_explicit(atomic_uint, uint, memory_order) uint"},
	{"atomic_fetch_add_explicit", "", "device atomic_float *, int, memory_order",
		"atomic_fetch_add_explicit(atomic_float, float, memory_order) float"},
	{"atomic_fetch_and_explicit", "", "device atomic_float *, int, memory_order", "none"},
	{"atomic_load_explicit", "", "const threadgroup atomic_bool *, memory_order",
		"atomic_load_explicit(atomic_bool, memory_order) bool"},
	{"atomic_store_explicit", "", "const device atomic_int *, int, memory_order", "none"},
	{"atomic_max_explicit", "", "device atomic_ulong *, int, memory_order",
		"atomic_max_explicit(atomic_ulong, ulong, memory_order) void"},
	{"threadgroup_barrier", "", "mem_flags", "threadgroup_barrier(mem_flags) void"},
	{"threadgroup_barrier", "", "int", "none"},
}

func TestOverloads(t *testing.T) {
	for _, c := range overloadCases {
		if got := resolve(t, c.name, c.precision, c.args); got != c.want {
			t.Errorf("%s %s(%s): got %s, want %s", c.precision, c.name, c.args, got, c.want)
		}
	}
}

// Every function that the table declares is called by arguments of exactly its types.
func TestEveryPrototypeIsCallable(t *testing.T) {
	for name, sigs := range library() {
		for _, s := range sigs {
			if s.row.doc == "" {
				t.Errorf("%s has no doc", s.row.sig)
			}
			for _, typ := range s.types {
				found := candidates(sigs, nil, "", exactArguments(s, typ))
				if len(found) == 0 {
					t.Errorf("%s is not callable for %s", s.row.sig, typ)
					continue
				}
				best, rival := choose(found)
				if rival != nil && s.row.since < 410 || best.sig != s || best.t != typ {
					t.Errorf("%s for %s: the call means %s", name, typ, best)
				}
			}
		}
	}
}

func exactArguments(s *signature, typ hir.Type) []operand {
	var args []operand
	for i := range s.params {
		p := &s.params[i]
		to := p.word.in(typ)
		if to == anySimdMatrix {
			to = hir.SimdMatrix{Elem: hir.Half}
		}
		if p.ptr {
			to = &hir.Pointer{Elem: to, Space: p.space, Const: p.ro}
		}
		args = append(args, operand{expr: &hir.VarExpr{Node: hir.At(syntax.Pos{}, to), Var: &hir.Var{Type: to}},
			lvalue: p.ref, space: p.space})
	}
	return args
}

func TestBuiltinNames(t *testing.T) {
	if n := len(library()); n < 150 {
		t.Errorf("the library has %d names", n)
	}
	for n, signatures := range library() {
		for _, s := range signatures {
			if s.row.doc == "" {
				t.Errorf("%q says nothing of what it is for", s.row.sig)
			}
		}
		if absentFunctions[n] != "" {
			t.Errorf("%s is in the library and said to be absent from it", n)
		}
	}
}

func TestStdConstants(t *testing.T) {
	f32 := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	cases := []struct {
		name string
		typ  hir.Type
		bits uint64
	}{
		{"M_PI_F", hir.Float, f32(3.14159274)}, {"M_PI_H", hir.Half, 0x4248}, {"M_PI_BF", hir.BFloat, 0x4049},
		{"M_2_SQRTPI_F", hir.Float, f32(1.12837917)}, {"M_LN10_F", hir.Float, f32(2.30258509)},
		{"INFINITY", hir.Float, 0x7f800000}, {"NAN", hir.Float, 0x7fc00000}, {"HUGE_VALH", hir.Half, 0x7c00},
		{"FLT_MAX", hir.Float, 0x7f7fffff}, {"MAXFLOAT", hir.Float, 0x7f7fffff}, {"FLT_MIN", hir.Float, 0x00800000},
		{"FLT_EPSILON", hir.Float, 0x34000000},
		{"HALF_MAX", hir.Half, 0x7bff}, {"MAXHALF", hir.Half, 0x7bff}, {"HALF_MIN", hir.Half, 0x0400},
		{"HALF_EPSILON", hir.Half, 0x1400},
		{"MAXBFLOAT", hir.BFloat, 0x7f7f}, {"BFLT_EPSILON", hir.BFloat, 0x3c00}, {"FLT_DIG", hir.Int, 6},
		{"HALF_MANT_DIG", hir.Int, 11},
		{"INT_MIN", hir.Int, 0xffffffff80000000}, {"UINT_MAX", hir.UInt, 0xffffffff},
		{"ULONG_MAX", hir.ULong, math.MaxUint64}, {"USHRT_MAX", hir.Int, 65535},
		{"mem_flags::mem_threadgroup", memFlags, MemThreadgroup}, {"memory_order_relaxed", memoryOrder, OrderRelaxed},
		{"memory_order::memory_order_seq_cst", memoryOrder, OrderSeqCst},
		{"thread_scope_device", threadScope, ScopeDevice},
	}
	for _, c := range cases {
		typ, bits, ok := lookupStdConstant(c.name)
		if d := cmp.Diff([]any{c.typ, c.bits, true}, []any{typ, bits, ok}); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, d)
		}
	}
	for _, absent := range []string{"mem_threadgroup", "M_PI", "DBL_MAX", "mem_flags::mem_shared"} {
		if _, _, ok := lookupStdConstant(absent); ok {
			t.Errorf("%s is known and should not be", absent)
		}
	}
}
