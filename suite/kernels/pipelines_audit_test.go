package kernels

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"

	"github.com/google/go-cmp/cmp"
)

// defined are the pipelines with a float64 pass from end to end.
var defined = []string{
	"attention_three_kernels", "attention_three_kernels_tiled", "chunk_gated_delta_rule", "linear_attention_block",
	"mla_decode_step", "moe_layer",
}

// TestPipelineAudit compares these passes with exact values over the probes with every
// second of their inputs, and demands that a pass is ten times as sharp as what it judges. Of
// the other pipelines, as of all in a short run, it takes one case.
func TestPipelineAudit(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of 256 bits are slow")
	}
	runner := &keeper{Runner: sim.New(sim.Semantics{})}
	t.Cleanup(func() { runner.Close() })
	opts := suite.Options{Shaders: ours(t), Seed: 1}
	cases := map[string][]suite.Case{}
	for i, c := range casesWhere(func(c suite.Case) bool { return c.Pipeline != nil && isProbe(c) && launched(c) }) {
		part := slices.Contains(defined, c.Kernel.Name) && i%2 == 0
		if part || isFirst(c) {
			cases[c.Kernel.Name] = append(cases[c.Kernel.Name], c)
		}
	}
	var mu sync.Mutex
	var names, table []string
	for _, name := range sorted(cases) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			worst, where, sampled := 0.0, "", 0
			for _, c := range cases[name] {
				audited, err := kerneltest.AuditPipeline(runner, opts, c, 1)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range audited {
					if err := a.Err(); err != nil {
						t.Errorf("%s: %v", c.Name, err)
					}
					sampled += a.Sampled
					if a.Ratio >= worst {
						worst, where = a.Ratio, a.Output+", "+c.Input.Name
					}
				}
			}
			mu.Lock()
			defer mu.Unlock()
			if sampled > 0 {
				names = append(names, name)
				table = append(table, fmt.Sprintf("%-32s %9.2g  %-40s %4d", name, worst, where, sampled))
			}
		})
	}
	t.Cleanup(func() {
		slices.Sort(names)
		if diff := cmp.Diff(defined, names); diff != "" {
			t.Errorf("pipelines with a float64 pass from end to end (-want +got):\n%s", diff)
		}
		slices.Sort(table)
		t.Logf("worst |want − exact| / bound:\n%s", strings.Join(table, "\n"))
	})
}
