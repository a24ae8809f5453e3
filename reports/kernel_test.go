package reports

import (
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// A header describes each kernel and pipeline once, with its place in the shaders if
// they have it.
func TestDescribe(t *testing.T) {
	source := "#include <metal_stdlib>\n#include \"part.h\"\n" +
		"kernel void scale(device float *out [[buffer(0)]]) { out[0] = 1.0f; }\n"
	shaders, err := suite.OpenShaders(fstest.MapFS{"deep/k.metal": {Data: []byte(source)},
		"deep/part.h": {Data: []byte("// nothing\n")}}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	n := suite.Axis("n")
	args := suite.Args{
		suite.InOut("out", suite.BF16, suite.Fixed(2), n, suite.Ceil(n, 8)),
		suite.Const("eps", suite.F32, suite.Number(1)),
		suite.Params("params", suite.Field{Name: "n", Type: suite.U32, Value: n}),
	}
	scale := &suite.Kernel{Name: "scale", Doc: "Scales.", Axes: []suite.Axis{n}, Args: args,
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"s": oracles.Sequential()}}}
	absent := &suite.Kernel{Name: "absent"}
	pipeline := &suite.Pipeline{Kernels: []string{"scale", "absent"}}
	var h Header
	h.Describe([]suite.Case{
		{Family: "a", Kernel: scale}, {Family: "a", Kernel: scale}, {Family: "b", Kernel: absent},
		{Family: "c", Kernel: &suite.Kernel{Name: "both", Doc: "Scales twice.", Args: args[:1]}, Pipeline: pipeline},
	}, shaders, []string{"scale", "absent", "both"})

	out := Binding{Name: "out", Role: "inout", Type: "bf16", Extents: []string{"2", "n", "…"}}
	want := []Kernel{
		{
			Name: "scale", Family: "a", Doc: "Scales.", Axes: []string{"n"}, File: "deep/k.metal", Line: 3,
			Bindings: []Binding{out, {Name: "eps", Role: "constant", Type: "f32"},
				{Name: "params", Role: "struct", Fields: []string{"u32 n"}}},
			Contract: "f32, precise functions, subnormals may be flushed, s: sequential",
			Lack: &suite.Lack{Reason: "deep/k.metal:3:1: no argument at [[buffer(1)]], want eps; no argument at " +
				"[[buffer(2)]], want params"},
		},
		{
			Name: "absent", Family: "b", Contract: "f32, precise functions, subnormals may be flushed",
			Lack: &suite.Lack{Reason: "absent: no file exports a kernel of that name"},
		},
		{
			Name: "both", Family: "c", Doc: "Scales twice.", Pipeline: []string{"scale", "absent"},
			Bindings: []Binding{out},
			Lack:     &suite.Lack{Reason: "scale is no kernel of the catalogue"},
		},
	}
	if diff := cmp.Diff(want, h.Kernels); diff != "" {
		t.Errorf("kernels (-want +got):\n%s", diff)
	}
	// printf '// nothing\n' | sha256sum
	part := Shader{SHA256: "a187a86831786f9f14799492412ddecea1b4db767d97e40e01f87e1f5dc942bd", Text: "// nothing\n"}
	if h.Planned != 4 || len(h.Shaders) != 2 || !cmp.Equal(h.Shaders["deep/part.h"], part) ||
		h.Shaders["deep/k.metal"].Text != source {
		t.Errorf("%d cases are planned, shaders %v", h.Planned, h.Shaders)
	}
}

// Pipelines are counted apart from the kernels that they launch.
func TestSubjects(t *testing.T) {
	kernel, pipeline := Row{Kernel: "a"}, Row{Kernel: "b", Pipeline: true}
	for want, rows := range map[string][]Row{
		"0 kernels": nil, "1 kernel": {kernel}, "2 pipelines": {pipeline, pipeline},
		"2 kernels and 1 pipeline": {kernel, pipeline, kernel},
	} {
		if got := (Table{Rows: rows}).Subjects(); got != want {
			t.Errorf("%v are %s, want %s", rows, got, want)
		}
	}
}
