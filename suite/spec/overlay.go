package spec

import (
	"fmt"
	"slices"

	"metalconform/oracles"
	"metalconform/suite"
)

// inPlace is the axis of kernels that may write an output over an input: 1 where both are one
// buffer.
const inPlace suite.Axis = "in_place"

// overlays are the outputs that may lie in an input, with that.
func (d *draft) overlays() map[string]string {
	over := map[string]string{}
	for _, a := range d.arguments {
		if a.over != "" {
			over[a.name] = a.over
		}
	}
	return over
}

// overlaid reports whether an input may have an output in its buffer. It is written then, though
// the oracle says nothing of it.
func (d *draft) overlaid(name string) bool {
	return slices.ContainsFunc(d.arguments, func(a *argument) bool { return a.over == name })
}

// readOverlays makes the axis, and inputs that can be written.
func (d *draft) readOverlays() error {
	for output, input := range d.overlays() {
		i := slices.IndexFunc(d.arguments, func(a *argument) bool { return a.name == input })
		if i < 0 || d.arguments[i].role != suite.RoleIn {
			return fmt.Errorf("%s lies over %q, which is no input", output, input)
		}
		d.arguments[i].role = suite.RoleInOut
		if _, ok := d.base[inPlace]; !ok {
			d.axes, d.base[inPlace] = append(d.axes, inPlace), 0
			d.vary = append(d.vary, suite.Vary(inPlace, 1))
		}
	}
	return nil
}

// overlay makes the answers those of buffers: in place, an output's is that of its input;
// otherwise the input stays.
func (d *draft) overlay(p *suite.Problem, answers suite.Answers) {
	for output, input := range d.overlays() {
		a, _ := d.args.Find(input)
		if p.Shape[inPlace] == 0 {
			unchanged := oracles.Answer{Want: elements(p, a), Exact: true}
			if _, float := a.Type.Format(); !float && a.Type.Bytes() == wideBytes && d.oracle != nil {
				unchanged.Words = p.Wide(a.Name)
			}
			answers[input] = unchanged
			continue
		}
		o, _ := d.args.Find(output)
		answers[input] = answers[output]
		answers[output] = oracles.Answer{Want: make([]float64, o.Count(p.Shape)), Exact: true}
	}
}

// overlayArgs says of outputs that they stay as they are in place: their inputs get what they would.
func (d *draft) overlayArgs(args suite.Args) {
	over := d.overlays()
	for i := range args {
		if over[args[i].Name] == "" {
			continue
		}
		a := args[i]
		args[i].Untouched = func(s suite.Shape) []suite.Range {
			if s[inPlace] == 1 {
				return []suite.Range{{First: 0, End: a.Count(s)}}
			}
			if a.Untouched != nil {
				return a.Untouched(s)
			}
			return nil
		}
	}
}
