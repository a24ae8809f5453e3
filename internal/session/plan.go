package session

import (
	"fmt"
	"math"

	"metalconform/internal/budget"
	"metalconform/suite"
)

// plan is what the cases of some kernels take, known before any of them is prepared.
type plan struct {
	specified map[string]bool // kernels and pipelines that count
	devices   int64           // that launch each case
	cases     int64
	elements  int64            // of buffers, on all devices
	held      int64            // bytes of the case that holds most
	holds     string           // its name
	byKernel  map[string]int64 // elements
	large     suite.Case       // the largest of all
	most      int64            // its elements, on all devices
}

// newPlan is a plan without cases. The kernels of the families count.
func newPlan(families []suite.Family, devices int64) *plan {
	p := &plan{specified: map[string]bool{}, devices: devices, byKernel: map[string]int64{}}
	for _, f := range families {
		for _, k := range f.Kernels {
			p.specified[k.Name] = true
		}
	}
	return p
}

// add adds a case.
func (p *plan) add(c suite.Case) {
	name := c.Kernel.Name
	if !p.specified[name] {
		return
	}
	p.cases++
	if c.Bytes() == 0 { // the host refuses it, or it has no buffers
		return
	}
	n := int64(0)
	for _, a := range c.Kernel.Args {
		if a.Buffer() {
			n = plus(n, int64(max(a.Count(c.Shape), 0)))
		}
	}
	if n > math.MaxInt64/p.devices {
		n = math.MaxInt64
	} else {
		n *= p.devices
	}
	p.elements, p.byKernel[name] = plus(p.elements, n), plus(p.byKernel[name], n)
	if n > p.most {
		p.most, p.large = n, c
	}
	if b := c.Bytes(); b > p.held {
		p.held, p.holds = b, c.Name
	}
}

// plus is a sum of numbers that are not negative, or the largest number.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// take takes the plan from a budget. The error names the kernel that has most, and the largest case.
func (p *plan) take(b *budget.Budget) error {
	if err := b.Take(budget.Cases, p.cases); err != nil {
		return fmt.Errorf("%d cases: %w", p.cases, err)
	}
	if p.most == 0 {
		return nil
	}
	if err := b.Fits(budget.Held, p.held); err != nil {
		return fmt.Errorf("%s holds about %d bytes: %w", p.holds, p.held, err)
	}
	if err := b.Take(budget.Elements, p.elements); err != nil {
		largest, most := "", int64(0)
		for name, n := range p.byKernel {
			if n > most || n == most && name < largest {
				largest, most = name, n
			}
		}
		return fmt.Errorf("%d elements in %d cases, %d of them of %s, and %d of the case %s: %w", p.elements, p.cases,
			most, largest, p.most, p.large.Name, err)
	}
	return nil
}
