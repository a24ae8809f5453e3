package metalrun_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// TestFeatures has every feature in a kernel of its own, which says so, and tries it.
func TestFeatures(t *testing.T) {
	for _, f := range metalrun.Features() {
		p, err := f.Program()
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		infos, err := p.Kernels()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]metalrun.Feature{f}, infos[0].Features); diff != "" {
			t.Errorf("features of a kernel that uses %s (-want +got):\n%s", f, diff)
		}
		for _, s := range []sim.Semantics{{Check: true}, sim.Apple(),
			{Adversary: &sim.Adversary{Seed: 1, Choices: -1}}} {
			if err := f.Try(sim.New(s)); err != nil {
				t.Errorf("%s with %s semantics: %v", f, s, err)
			}
		}
	}
	p, err := metalrun.Analyse(metalrun.SourceText("k.metal",
		"#include <metal_stdlib>\nusing namespace metal;\n"+
			"kernel void k(device half *x [[buffer(0)]], device atomic_uint *y [[buffer(1)]]) { x[0] += 1; "+
			"atomic_fetch_add_explicit(y, 1, memory_order_relaxed); threadgroup_barrier(mem_flags::mem_device); }"),
		metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	infos, err := p.Kernels()
	if err != nil || len(infos[0].Features) > 0 {
		t.Errorf("features of a kernel that every device has: %v, %v", infos[0].Features, err)
	}
}
