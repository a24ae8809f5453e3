package kernels

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// TestPipelineAudit compares the float64 passes of pipelines from end to end with exact
// values over the probes with all their inputs, and demands that a pass is
// ten times as sharp as what it judges. A short run takes the first probe.
func TestPipelineAudit(t *testing.T) {
	if testing.Short() && raceDetector {
		t.Skip("numbers of 256 bits are slow under the race detector")
	}
	runner := &keeper{Runner: sim.New(sim.Semantics{})}
	t.Cleanup(func() { runner.Close() })
	opts := suite.Options{Shaders: ours(t), Seed: 1}
	var mu sync.Mutex
	var names, table []string
	want := []string{"attention_three_kernels", "attention_three_kernels_tiled", "chunk_gated_delta_rule", "linear_attention_block",
		"mla_decode_step", "moe_layer"}
	for _, f := range All() {
		for _, pipeline := range f.Pipelines {
			t.Run(pipeline.Name, func(t *testing.T) {
				t.Parallel()
				worst, where, sampled := 0.0, "", 0
				for _, c := range probedPipeline(f, pipeline) {
					audited, err := suite.AuditPipeline(runner, opts, c, 1)
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
					names = append(names, pipeline.Name)
					table = append(table, fmt.Sprintf("%-32s %9.2g  %-40s %4d", pipeline.Name, worst, where, sampled))
				}
			})
		}
	}
	t.Cleanup(func() {
		slices.Sort(names)
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("pipelines with a float64 pass from end to end (-want +got):\n%s", diff)
		}
		slices.Sort(table)
		t.Logf("worst |want − exact| / bound:\n%s", strings.Join(table, "\n"))
	})
}

// probedPipeline are the cases of a pipeline's probes, without the shapes that it
// refuses.
func probedPipeline(f suite.Family, pipeline suite.Pipeline) []suite.Case {
	pipeline.Sweep.Shapes, pipeline.Sweep.Refused = nil, nil
	if testing.Short() {
		pipeline.Sweep.Probes = pipeline.Sweep.Probes[:1]
	}
	families := All()
	families = append(families, suite.Family{Name: f.Name, Pipelines: []suite.Pipeline{pipeline}})
	return slices.DeleteFunc(suite.Cases(families, suite.Quick), func(c suite.Case) bool {
		return c.Pipeline == nil || c.Pipeline.Name != pipeline.Name || len(c.Pipeline.Sweep.Shapes) > 0
	})
}
