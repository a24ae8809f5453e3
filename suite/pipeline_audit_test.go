package suite

import (
	"math/big"
	"strings"
	"testing"

	"metalconform/oracles"
)

// TestAuditPipeline has definitions that are as far from what they should be as a
// part of their bound.
func TestAuditPipeline(t *testing.T) {
	for _, test := range []struct {
		name    string
		off     float64 // of the exact values, as a fraction of the bound
		refused bool
	}{
		{"exact", 0, false}, {"sharp enough", 0.09, false}, {"too coarse", 0.11, true},
	} {
		run := func(c *PipelineRun) {
			c.Launch(Step{Kernel: "product"})
			x, w := c.Values("x"), c.Values("w")
			want := oracles.Answer{Want: make([]float64, len(x)), Budget: []oracles.Term{{Label: "all", Error: c.Bounds("y")}}}
			for i := range x {
				want.Want[i] = x[i] * w[i%len(w)]
			}
			c.Definition("end to end", "y", want, func(i int) *big.Float {
				value := new(big.Float).SetPrec(256).SetFloat64(want.Want[i])
				return value.Add(value, new(big.Float).SetFloat64(test.off*want.Bound(i)))
			})
		}
		shaders := shadersOf(t, map[string]string{"product.metal": "kernel product\nkernel twin"})
		got, err := AuditPipeline(twinRunner(runProduct), Options{Shaders: shaders}, pipelineCases(twins(run))[0], 2)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %v, %v", test.name, got, err)
		}
		if err := got[0].Err(); (err != nil) != test.refused {
			t.Errorf("%s: %v", test.name, err)
		} else if err != nil && !strings.Contains(err.Error(), "end to end: y[") {
			t.Errorf("%s: %v does not name the invariant", test.name, err)
		}
	}
}

// A pipeline that fails has nothing to audit.
func TestAuditPipelineThatFails(t *testing.T) {
	shaders := shadersOf(t, map[string]string{"product.metal": "kernel product\nkernel twin"})
	_, err := AuditPipeline(twinRunner(andWrongCopy), Options{Shaders: shaders}, pipelineCases(twins(pair))[0], 1)
	if err == nil || !strings.Contains(err.Error(), "stage 2, twin: ") {
		t.Errorf("error %v, want one that names the stage", err)
	}
}
