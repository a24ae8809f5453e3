package kernels

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"
)

// auditSamples is the number of elements of each output, drawn at random, that
// an audit adds to those that it always compares.
const auditSamples = 2

// TestAudit compares the float64 oracles with exact values over the probes of every
// sweep, those of few operations with all their inputs and the others with every fifth,
// and demands that an oracle is ten times as sharp as what it judges. A short run takes
// the first probe with its first inputs.
func TestAudit(t *testing.T) {
	shaders, references := ours(t), References()
	cases := map[string][]suite.Case{}
	turns := 0
	for _, c := range probes(func(c suite.Case) bool {
		if isFirst(c) || testing.Short() {
			return isFirst(c)
		}
		turns++
		return operations(c) <= few/8 || turns%5 == 0
	}) {
		cases[c.Kernel.Name] = append(cases[c.Kernel.Name], c)
	}
	var mu sync.Mutex
	var table []string
	for _, name := range sorted(cases) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			worst := map[string]kerneltest.Audited{}
			where := map[string]string{}
			sampled := 0
			for _, c := range cases[name] {
				asked, err := kerneltest.Ask(shaders, c, 1)
				if err != nil {
					t.Fatalf("%s: %v", c.Name, err)
				}
				audited, err := asked.Audit(references[name], auditSamples)
				if err != nil {
					t.Fatalf("%s: %v", c.Name, err)
				}
				for _, a := range audited {
					if err := a.Err(); err != nil {
						t.Errorf("%s: %v", c.Name, err)
					}
					sampled += a.Sampled
					if w, ok := worst[a.Output]; !ok || a.Ratio > w.Ratio {
						worst[a.Output], where[a.Output] = a, c.Input.Name
					}
				}
			}
			for _, output := range sorted(worst) {
				mu.Lock()
				table = append(table, fmt.Sprintf("%-38s %-18s %9.2g  %-20s %6d", name, output, worst[output].Ratio,
					where[output], sampled))
				mu.Unlock()
			}
		})
	}
	t.Cleanup(func() {
		slices.Sort(table)
		t.Logf("worst |want − exact| / bound:\n%s", strings.Join(table, "\n"))
	})
}

// probes are the cases of kernels' probes that are wanted.
func probes(wanted func(suite.Case) bool) []suite.Case {
	return casesWhere(func(c suite.Case) bool { return c.Pipeline == nil && isProbe(c) && launched(c) && wanted(c) })
}

// TestReferences checks that no reference is left over; TestAudit misses those that are
// not there.
func TestReferences(t *testing.T) {
	references := References()
	for _, f := range All() {
		for _, k := range f.Kernels {
			delete(references, k.Name)
		}
	}
	for name := range references {
		t.Errorf("%s has an exact reference and is no kernel", name)
	}
}
