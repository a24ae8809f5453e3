package explore

import (
	"testing"

	"metalconform/metalrun"
	"metalconform/suite"
)

// TestAgrees: a kernel of the catalogue's name takes its cases only if it holds the same numbers.
func TestAgrees(t *testing.T) {
	k := &suite.Kernel{Name: "f", Args: suite.Args{
		{Name: "x", Type: suite.F32, Role: suite.RoleIn},
		{Name: "ids", Type: suite.U32, Role: suite.RoleIn},
		{Name: "n", Type: suite.U32, Role: suite.RoleConst},
	}}
	for text, want := range map[string]bool{
		"device float *x [[buffer(0)]], device uint *ids [[buffer(1)]], constant uint &n [[buffer(2)]]":   true,
		"device float4 *x [[buffer(0)]], device uint2 *i [[buffer(1)]], constant int &n [[buffer(2)]]":    true,
		"device uint *x [[buffer(0)]], device uchar *ids [[buffer(1)]], constant uint &n [[buffer(2)]]":   true,
		"device half *x [[buffer(0)]], device uint *ids [[buffer(1)]], constant uint &n [[buffer(2)]]":    false,
		"device float *x [[buffer(0)]], device half *ids [[buffer(1)]], constant uint &n [[buffer(2)]]":   false,
		"device float *x [[buffer(0)]], device uint *ids [[buffer(1)]], constant float &n [[buffer(2)]]":  false,
		"device float *x [[buffer(0)]], device uint *ids [[buffer(1)]], constant ushort &n [[buffer(2)]]": false,
	} {
		p, err := metalrun.Analyse(metalrun.SourceText("a.metal", "kernel void f("+text+") {}"),
			metalrun.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		info, err := p.Kernel("f")
		if err != nil {
			t.Fatal(err)
		}
		if err := agrees(k, info); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
