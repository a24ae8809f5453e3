package kernels

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalconform/suite"
)

// auditSamples is the number of elements of each output, drawn at random, that
// an audit compares beside those that it always does.
const auditSamples = 2

// TestAudit compares the float64 oracles with their exact twins over the probes
// of every sweep with all their inputs, and demands that an oracle is ten times
// as sharp as what it judges. A short run takes the first probe.
func TestAudit(t *testing.T) {
	shaders, twins := ours(t), References()
	var mu sync.Mutex
	var table []string
	for _, f := range All() {
		for _, k := range f.Kernels {
			twin := twins[k.Name]
			t.Run(k.Name, func(t *testing.T) {
				t.Parallel()
				worst := map[string]suite.Audited{}
				where := map[string]string{}
				sampled := 0
				for _, c := range probed(f, k) {
					audited, err := suite.Audit(shaders, c, 1, twin, auditSamples)
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
					table = append(table, fmt.Sprintf("%-38s %-18s %9.2g  %-20s %6d", k.Name, output, worst[output].Ratio, where[output], sampled))
					mu.Unlock()
				}
			})
		}
	}
	t.Cleanup(func() {
		slices.Sort(table)
		t.Logf("worst |want − exact| / bound:\n%s", strings.Join(table, "\n"))
	})
}

// probed are the cases of a kernel's probes, without the shapes that it refuses.
func probed(f suite.Family, k suite.Kernel) []suite.Case {
	k.Sweep.Shapes, k.Sweep.Refused = nil, nil
	if testing.Short() {
		k.Sweep.Probes = k.Sweep.Probes[:1]
	}
	return suite.Cases([]suite.Family{{Name: f.Name, Kernels: []suite.Kernel{k}}}, suite.Quick)
}

// TestTwins checks that no twin is left over; TestAudit misses those that are
// not there.
func TestTwins(t *testing.T) {
	twins := References()
	for _, f := range All() {
		for _, k := range f.Kernels {
			delete(twins, k.Name)
		}
	}
	for name := range twins {
		t.Errorf("%s has an exact twin and is no kernel", name)
	}
}
