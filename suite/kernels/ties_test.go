package kernels

import (
	"strings"
	"testing"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"
)

// TestTiesOfOutputs demands of each output that is rounded to a narrower format a case of
// the quick sweep in which elements lie just between two numbers.
func TestTiesOfOutputs(t *testing.T) {
	source := ours(t)
	ties := map[string]bool{}
	for _, c := range casesWhere(func(c suite.Case) bool {
		return c.Pipeline == nil && strings.HasPrefix(c.Input.Name, "ties")
	}) {
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
			if !ties[k.Name+" "+a.Name] {
				t.Errorf("%s: no element of %s is a tie in any case", k.Name, a.Name)
			}
		}
	}
}
