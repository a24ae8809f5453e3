package metalrun_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

const stdlib = "#include <metal_stdlib>\nusing namespace metal;\n"

// kernelsOf describes the entry points of a text.
func kernelsOf(text string, opts metalrun.CompileOptions) ([]metalrun.KernelInfo, error) {
	p, err := metalrun.Analyse(metalrun.SourceText("a.metal", text), opts)
	if err != nil {
		return nil, err
	}
	return p.Kernels()
}

// inspect is what the front end knows of the only entry point of a text.
func inspect(t *testing.T, text string, opts metalrun.CompileOptions) metalrun.KernelInfo {
	t.Helper()
	list, err := kernelsOf(stdlib+text, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		t.Fatalf("%d kernels, want one", len(list))
	}
	return list[0]
}

func TestInspect(t *testing.T) {
	got := inspect(t, `
constant bool guarded [[function_constant(0)]];
struct P { uint n; float eps; };
[[max_total_threads_per_threadgroup(96)]]
kernel void f(threadgroup half* m [[threadgroup(1)]], device float4 &y [[buffer(4)]], device const ushort* x, constant P &p,
              constant int* shape, P by_value [[buffer(7)]], device char* absent [[function_constant(guarded)]],
              uint3 at [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
	threadgroup float a[3];
	threadgroup uchar b[5];
	a[lane] = x[at.y] * p.eps;
	b[lane] = a[0];
	y = simd_sum(float(b[1])) * shape[by_value.n];
}`, metalrun.CompileOptions{FunctionConstants: map[int]any{0: false}})
	scalar := func(typ string, size, count int) []metalrun.FieldInfo {
		return []metalrun.FieldInfo{{Type: typ, Size: size, Count: count}}
	}
	members := []metalrun.FieldInfo{{"n", "uint", 0, 4, 1}, {"eps", "float", 4, 4, 1}}
	want := metalrun.KernelInfo{
		Name: "f", Position: metalrun.Position{File: "a.metal", Line: 6, Col: 1},
		Declared: metalrun.Position{File: "a.metal", Line: 6, Col: 1}, MaxThreads: 96, StaticThreadgroupMemory: 21,
		Inputs:   []string{"thread_position_in_grid.y", "thread_index_in_simdgroup"},
		Features: []metalrun.Feature{metalrun.SimdSums}, Collective: true,
		Args: []metalrun.ArgInfo{
			{Name: "x", Index: 0, Type: "ushort", Size: 2, Align: 2, Fields: scalar("ushort", 2, 1)},
			{Name: "p", Index: 1, Type: "P", Size: 8, Align: 4, Constant: true, Reference: true, Fields: members},
			{Name: "shape", Index: 2, Type: "int", Size: 4, Align: 4, Constant: true, Fields: scalar("int", 4, 1)},
			{Name: "y", Index: 4, Type: "float4", Size: 16, Align: 16, Writable: true, Reference: true,
				Fields: scalar("float", 4, 4)},
			{Name: "by_value", Index: 7, Type: "P", Size: 8, Align: 4, Constant: true, Reference: true,
				Fields: members},
			{Name: "m", Kind: metalrun.ThreadgroupArg, Index: 1, Type: "half", Size: 2, Align: 2, Writable: true,
				Fields: scalar("half", 2, 1)},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Fields are those of the type, whatever it is made of.
func TestFields(t *testing.T) {
	for _, c := range []struct {
		typ, text string
		want      []metalrun.FieldInfo
	}{
		{"void", "", nil},
		{"E", "struct E {};", nil},
		{"half3", "", []metalrun.FieldInfo{{"", "half", 0, 2, 4}}},
		{"packed_uchar3", "", []metalrun.FieldInfo{{"", "uchar", 0, 1, 3}}},
		{"float3x4", "", []metalrun.FieldInfo{{"", "float", 0, 4, 12}}},
		{"half2x3", "", []metalrun.FieldInfo{{"", "half", 0, 2, 8}}},
		{"atomic_uint", "", []metalrun.FieldInfo{{"", "atomic_uint", 0, 4, 1}}},
		{"K", "enum class K : short { a, b };", []metalrun.FieldInfo{{"", "short", 0, 2, 1}}},
		{"S", "struct S { uint n, m; bool on; bfloat2 b; packed_float3 d; ulong w[2][3]; };", []metalrun.FieldInfo{
			{"n", "uint", 0, 4, 1}, {"m", "uint", 4, 4, 1}, {"on", "bool", 8, 1, 1}, {"b", "bfloat", 12, 2, 2},
			{"d", "float", 16, 4, 3}, {"w", "ulong", 32, 8, 6}}},
		{"S", "typedef struct { short a; int b; } S;",
			[]metalrun.FieldInfo{{"a", "short", 0, 2, 1}, {"b", "int", 4, 4, 1}}},
		{"O", "struct I { float x; char c; }; struct O { char k; I i[2]; };", []metalrun.FieldInfo{
			{"k", "char", 0, 1, 1}, {"i.x", "float", 4, 4, 1}, {"i.c", "char", 8, 1, 1}, {"i.x", "float", 12, 4, 1},
			{"i.c", "char", 16, 1, 1}}},
		{"S", "struct S { int a; static constant int b = 3; int twice() const { return 2 * a; } };",
			[]metalrun.FieldInfo{{"a", "int", 0, 4, 1}}},
		{"S", "struct alignas(16) S { char a; alignas(8) half b; };",
			[]metalrun.FieldInfo{{"a", "char", 0, 1, 1}, {"b", "half", 8, 2, 1}}},
		{"n::S", "namespace n { struct S { int a; }; } namespace m { struct S { float b; }; }",
			[]metalrun.FieldInfo{{"a", "int", 0, 4, 1}}},
		{"T<half>", "template <typename U> struct T { U a; float b; };",
			[]metalrun.FieldInfo{{"a", "half", 0, 2, 1}, {"b", "float", 4, 4, 1}}},
		{"S", "struct S { char k; struct { half a; }; array<float, 3> v; };", []metalrun.FieldInfo{
			{"k", "char", 0, 1, 1}, {"a", "half", 2, 2, 1}, {"v", "float", 4, 4, 3}}},
		{"U", "union U { int a; float b; };", []metalrun.FieldInfo{{"", "uint", 0, 4, 1}}},
		{"S", "struct S { char k; union { half a[3]; char b; } u; union { char c[3]; }; };", []metalrun.FieldInfo{
			{"k", "char", 0, 1, 1}, {"u", "ushort", 2, 2, 3}, {"", "uchar", 8, 1, 3}}},
		{"S", "struct I { half a, b; }; struct S { float table[100000]; I many[4096]; };", []metalrun.FieldInfo{
			{"table", "float", 0, 4, 100000}, {"many", "ushort", 400000, 2, 8192}}},
	} {
		got := inspect(t, c.text+"kernel void f(device const "+c.typ+"* x) {}",
			metalrun.CompileOptions{}).Args[0].Fields
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.typ, c.text, diff)
		}
	}
}

// A struct of too many scalars is listed as far as that goes.
func TestMostFields(t *testing.T) {
	text := "struct E { char a; float b; }; struct S { E a[1000]; E b[2000]; E c[5000]; };"
	fields := inspect(t, text+"kernel void f(device S* x) {}", metalrun.CompileOptions{}).Args[0].Fields
	words := 0
	for _, f := range fields {
		if f.Type != "uint" {
			t.Fatalf("%+v: want words", f)
		}
		words += f.Count
	}
	if words != 2*8000 {
		t.Errorf("%d words in %d fields, want %d", words, len(fields), 2*8000)
	}
}

// Inputs are those that can matter, wherever in the program they are read.
func TestInputs(t *testing.T) {
	for _, c := range []struct {
		name, params, body string
		want               []string
		collective         bool
	}{
		{"none", "", "x[0] = 1;", nil, false},
		{"unread", "uint3 i [[thread_position_in_grid]], ", "uint3 j = i; x[0] = 1;", nil, false},
		{"components", "uint3 i [[threads_per_grid]], ", "x[i.z] = i.x;",
			[]string{"threads_per_grid.x", "threads_per_grid.z"}, false},
		{"scalar", "uint i [[thread_position_in_threadgroup]], ", "x[i] = 1;",
			[]string{"thread_position_in_threadgroup.x"}, false},
		{"narrow", "ushort2 i [[thread_position_in_grid]], ", "x[i.y] = 1;", []string{"thread_position_in_grid.y"},
			false},
		{"in a function", "uint2 i [[threadgroup_position_in_grid]], ", "put(x, i);",
			[]string{"threadgroup_position_in_grid.y"}, false},
		{"condition", "uint i [[simdgroup_index_in_threadgroup]], ", "if (i == 0) x[0] = 1;",
			[]string{"simdgroup_index_in_threadgroup"}, false},
		{"older name", "uint n [[thread_execution_width]], ", "x[0] = n;", []string{"threads_per_simdgroup"}, false},
		{"barrier", "", "threadgroup_barrier(mem_flags::mem_device); simdgroup_barrier(mem_flags::mem_none); x[0] = 1;",
			nil, false},
		{"reduction", "", "for (int i = 0; i < 3; i++) if (x[i] > 0) x[i] = simd_max(x[i]);", nil, true},
		{"quad", "", "x[0] = quad_shuffle_xor(x[1], 1);", nil, true},
		{"matrix", "", "simdgroup_float8x8 m; simdgroup_load(m, x, 8); simdgroup_store(m, x + 64, 8);",
			[]string{"thread_index_in_simdgroup"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "void put(device float* x, uint2 i) { x[i.y] = 1; }\nkernel void f(" + c.params +
				"device float* x) { " + c.body + " }"
			got := inspect(t, text, metalrun.CompileOptions{})
			if diff := cmp.Diff(c.want, got.Inputs); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
			if got.Collective != c.collective {
				t.Errorf("collective: got %v, want %v", got.Collective, c.collective)
			}
		})
	}
}

// An ill-formed source has nothing to inspect but a diagnostic, from the lowering
// as well.
func TestInspectRefused(t *testing.T) {
	for _, text := range []string{"kernel int f() {}", "kernel void f(device float* x) { x[0] = f(x); }"} {
		infos, err := kernelsOf(text, metalrun.CompileOptions{})
		var diagnostics metalrun.Diagnostics
		if infos != nil || !errors.As(err, &diagnostics) || diagnostics[0].Position.Line != 1 {
			t.Errorf("%s: got %v and error %v, want a diagnostic on line 1", text, infos, err)
		}
	}
}

// TestMemoryOfAnyLength has references to arrays of one element, as generators write them, describe the
// element, structs that end in such an array describe both, and bit-fields that share their bytes be one number.
func TestMemoryOfAnyLength(t *testing.T) {
	got := inspect(t, `
struct Wrapped { float elements[1]; };
struct Inner { float4 scale; struct { ushort k; Wrapped data; } last; };
struct Bits { ushort groups; bool bias : 1; bool relu : 1; uint a : 4, b : 4; uint : 0; uint c : 3; };
kernel void f(device Wrapped &x, const device uint (&n)[1], constant float (&one)[1], device Bits &bits,
	const device Inner &inner, constant Inner &known) { x.elements[0] = n[0] * one[0] + bits.c; }`,
		metalrun.CompileOptions{})
	float, uint := []metalrun.FieldInfo{{Type: "float", Size: 4, Count: 1}},
		[]metalrun.FieldInfo{{Type: "uint", Size: 4, Count: 1}}
	inner := []metalrun.FieldInfo{{"scale", "float", 0, 4, 4}, {"last.k", "ushort", 16, 2, 1},
		{"last.data.elements", "float", 20, 4, 1}}
	want := []metalrun.ArgInfo{
		{Name: "x", Index: 0, Type: "float", Size: 4, Align: 4, Writable: true, Fields: float},
		{Name: "n", Index: 1, Type: "uint", Size: 4, Align: 4, Fields: uint},
		{Name: "one", Index: 2, Type: "float[1]", Size: 4, Align: 4, Constant: true, Reference: true, Fields: float},
		{Name: "bits", Index: 3, Type: "Bits", Size: 8, Align: 4, Writable: true, Reference: true,
			Fields: []metalrun.FieldInfo{
				{"groups", "ushort", 0, 2, 1}, {"bias", "bool", 2, 1, 1}, {"c", "uint", 4, 4, 1}}},
		{Name: "inner", Index: 4, Type: "Inner", Size: 32, Align: 16, Reference: true, Fields: inner,
			Tail: &metalrun.TailInfo{Name: "last.data", Offset: 20, Type: "float", Size: 4, Align: 4, Fields: float}},
		{Name: "known", Index: 5, Type: "Inner", Size: 32, Align: 16, Constant: true, Reference: true, Fields: inner},
	}
	if diff := cmp.Diff(want, got.Args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}
