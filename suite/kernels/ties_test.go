package kernels

import (
	"strings"
	"testing"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"
)

// untied are narrow outputs of which no tie is certain, and why.
var untied = map[string]string{
	"gated_delta_net_chunk_inter_state_bf16 v_new": "without a sum before it, it has the value of a bf16 input",
}

// TestTiesOfOutputs demands of each output that is rounded to a narrower format a case of
// the quick sweep in which elements lie just between two numbers.
func TestTiesOfOutputs(t *testing.T) {
	source := ours(t)
	ties := map[string]bool{}
	for _, c := range casesWhere(func(c suite.Case) bool { return c.Pipeline == nil && strings.HasPrefix(c.Input.Name, "ties") }) {
		asked, err := kerneltest.Ask(source, c, 1)
		if err != nil {
			t.Fatal(err)
		}
		for name, a := range asked.Answers {
			ties[c.Kernel.Name+" "+name] = ties[c.Kernel.Name+" "+name] || len(a.Even) > 0
		}
	}
	for _, k := range allKernels() {
		if strings.HasPrefix(k.Name, "cast_") {
			continue // judged bit for bit, at every input there is
		}
		for _, a := range k.Args {
			format, float := a.Type.Format()
			if !float || !a.Writable() || format == oracles.F32 {
				continue
			}
			reason, excused := untied[k.Name+" "+a.Name]
			switch has := ties[k.Name+" "+a.Name]; {
			case !has && !excused:
				t.Errorf("%s: no element of %s is a tie in any case", k.Name, a.Name)
			case has && excused:
				t.Errorf("%s: elements of %s are ties, and it is said: %s", k.Name, a.Name, reason)
			}
		}
	}
}
