package host

import (
	"bytes"
	"fmt"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// Launches are checked for what no single access shows: races in a launch, threadgroup memory and variables that
// nothing has written, and values that Metal leaves undefined. Checks take several times as long as the launch. They
// run the first launches of each pipeline on copies of the buffers, and of a large grid the threadgroups at its
// corners.

const (
	mostChecked   = 2       // launches of a pipeline that are checked: the first, and the first of another grid
	largeGrid     = 16      // threadgroups from which on corners stand for all
	mostCopied    = 1 << 27 // bytes of the buffers of a launch that is checked
	checkedSteps  = 1 << 30 // that the threads of a checked launch may take together: a quarter of a second
	checkedTrials = 1 << 28 // that its trials may take
)

// checker gives the semantics of checked launches. Threads that write the same value to the same bytes are in order.
func checker() metalrun.Runner {
	s := sim.Apple()
	s.Check, s.SameValue, s.Threadgroups, s.Steps, s.TotalSteps = true, true, mostThreadgroups, mostSteps, checkedSteps
	return sim.New(s)
}

// checked is what a pipeline has checked.
type checked struct {
	kernel metalrun.Kernel // nil: not compiled yet
	grids  []metalrun.Size // of the launches
}

// wants reports whether a launch of a grid is to be checked.
func (c *checked) wants(grid metalrun.Size) bool {
	if len(c.grids) >= mostChecked || len(c.grids) > 0 && c.grids[0] == grid {
		return false
	}
	c.grids = append(c.grids, grid)
	return true
}

// check checks a launch before it executes.
func (c *command) check(d metalrun.Dispatch) {
	h, p := c.host(), c.launch.pipeline
	if !p.checked.wants(d.Grid()) {
		return
	}
	total := 0
	for _, b := range d.Bindings {
		total += len(b.Data)
	}
	if total > mostCopied {
		return
	}
	if p.checked.kernel == nil {
		l, err := h.checker.Compile(p.Function.program)
		if err != nil {
			return // the pipeline has been compiled
		}
		if p.checked.kernel, err = l.Kernel(p.Function.Name); err != nil {
			return
		}
	}
	type memory struct {
		first *byte
		size  int
	}
	copies := map[memory][]byte{} // bindings of the same bytes stay so
	d.Bindings = append([]metalrun.Binding(nil), d.Bindings...)
	for i, b := range d.Bindings {
		if len(b.Data) == 0 {
			continue
		}
		at := memory{&b.Data[0], len(b.Data)}
		if copies[at] == nil {
			copies[at] = bytes.Clone(b.Data)
		}
		d.Bindings[i].Data = copies[at]
	}
	d.Corner = d.Grid().Count() > largeGrid
	trials := int64(checkedTrials)
	d.Trials = &trials
	// A fault ends the checks: the guard reports it as the launch executes.
	outcome, _ := p.checked.kernel.Run(d)
	for _, f := range outcome.Findings {
		h.found(c.finding(f))
	}
}

// finding is what a check has found in a launch.
func (c *command) finding(f metalrun.Finding) Finding {
	out := Finding{Check: f.Check, Grade: f.Grade, Kernel: c.kernel(), Command: c.name(), Position: f.Position,
		Text: c.line(f.Position), Message: fmt.Sprintf("%s: %s", c.kernel(), f.Message)}
	for _, t := range f.Trials {
		if t.Changes != "" {
			out.Message += fmt.Sprintf("; with %s, %s", t.What, t.Changes)
			break
		}
	}
	if f.Other != nil {
		out.Other = &Side{Command: "the other access", Kernel: c.kernel(), Does: f.Other.Does + "s",
			Position: f.Other.Position, Text: c.line(f.Other.Position)}
		if f.Other.Does == "declaration" {
			out.Other.Command, out.Other.Does = "the memory", "is declared"
		}
	}
	return out
}
