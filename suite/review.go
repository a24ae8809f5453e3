package suite

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"metalconform/oracles"
)

// Reviewed is something that a specification leaves untested, or does wrong, at a place that its author
// should look at.
type Reviewed struct {
	Kernel string `json:"kernel"`
	What   string `json:"what"`
}

// Review asks the definition of a kernel at the points of its sweep, without launching anything, and
// says what the sweep cannot tell: inputs and scalars that no result depends on, axes and scalars
// that never vary, outputs of which nothing is said, or which are the same whatever the inputs are. A
// point that the definition cannot take is one such line.
func Review(k *Kernel, seed uint64) []Reviewed {
	v := &review{kernel: k, seed: seed, matters: map[string]bool{}, axes: map[string]map[float64]bool{},
		scalars: map[string]map[float64]bool{}, open: map[string]bool{}}
	for _, c := range Cases([]Family{{Kernels: []Kernel{*k}}}, Full) {
		if c.Input.Name == refused {
			continue
		}
		v.note(c)
		if c.Set != Quick || c.end != nil {
			continue
		}
		if len(v.found) < 5 && !v.exceeded {
			v.look(c)
		}
	}
	v.conclude()
	return v.found
}

// review is what is known of a kernel's definition so far.
type review struct {
	kernel  *Kernel
	seed    uint64
	found   []Reviewed
	matters map[string]bool             // inputs and scalars that a result depends on
	axes    map[string]map[float64]bool // their values
	scalars map[string]map[float64]bool
	open    map[string]bool // outputs of which something is said
	probed  int

	exceeded bool // a limit, as elsewhere: it would take as long each time
}

func (v *review) say(format string, args ...any) {
	r := Reviewed{v.kernel.Name, fmt.Sprintf(format, args...)}
	if !slices.Contains(v.found, r) {
		v.found = append(v.found, r)
	}
}

// look asks the definition at one case.
func (v *review) look(c Case) {
	defer func() {
		if p := recover(); p != nil {
			_, v.exceeded = p.(Excess)
			v.say("%s: %v", c.Name, p)
		}
	}()
	if k := v.kernel; k.Check != nil {
		if err := k.Check(c.Shape); err != nil {
			v.say("%s: a point of the sweep that check refuses: %v", c.Name, err)
			return
		}
	}
	t := newCaseRun(c, caseOptions{seed: v.seed})
	t.tables = map[string][]float64{}
	for _, table := range c.Tables() {
		t.tables[table.Name] = table.Values
	}
	if err := t.FillBuffers(); err != nil {
		v.say("%s: %v", c.Name, err)
		return
	}
	want := v.kernel.Oracle(t.problem())
	for _, b := range t.buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		answer, err := want.of(b)
		if err != nil {
			v.say("%s: %v", c.Name, err)
			return
		}
		for i := range answer.Want {
			if !answer.Free(i) && !b.leaves(i) {
				v.open[b.arg.Name] = true
				break
			}
		}
	}
	// Two families of two shapes tell what matters: others would say it again, unless a draw seldom does.
	if (v.probed < 4 || v.probed < 16 && v.doubts()) && (c.Input.Name == v.kernel.Sweep.first() || c.Input.Random) {
		v.probed++
		v.vary(t, want)
	}
}

// redraws are how many other contents an input is given at a point: one that decides, such as a random number that a
// probability is compared with, may leave the decision as it was.
const redraws = 4

// doubts reports whether nothing has been seen to depend on some input yet.
func (v *review) doubts() bool {
	return slices.ContainsFunc(v.kernel.Args,
		func(a Arg) bool { return a.Buffer() && a.Role != RoleOut && !v.matters[a.Name] })
}

// note keeps the values that axes and scalars have, at every point of the full sweep: where one has been looked at that
// varies nothing, another may. A point at which the specification makes no sense has none.
func (v *review) note(c Case) {
	defer func() { _ = recover() }() // look says it
	keep := func(in map[string]map[float64]bool, name string, x float64) {
		if in[name] == nil {
			in[name] = map[float64]bool{}
		}
		in[name][x] = true
	}
	for _, a := range v.kernel.Axes {
		keep(v.axes, string(a), float64(a.Size(c.Shape)))
	}
	for _, values := range c.Scalars() {
		for name, x := range values {
			keep(v.scalars, name, x)
		}
	}
}

// vary asks again with other contents of one input, or another value of one scalar.
func (v *review) vary(t *CaseRun, want Answers) {
	for _, b := range t.buffers {
		if b == nil || b.arg.Role == RoleOut || v.matters[b.arg.Name] || b.count() == 0 {
			continue
		}
		before := slices.Clone(b.data)
		for n := range redraws {
			other := t.Case
			other.Name += fmt.Sprintf("/other%d", n)
			b.fill(other, b.count(), v.seed)
			if bytes.Equal(b.data, before) || !t.same(want) { // what always holds the same is the host's choice
				v.matters[b.arg.Name] = true
				break
			}
		}
		copy(b.data, before)
	}
	for _, a := range v.kernel.Args {
		for _, f := range a.Scalars() {
			if v.matters[f.Name] || f.Value == nil {
				continue
			}
			if t.asks(f, want) {
				v.matters[f.Name] = true
			}
		}
	}
}

// same reports whether the definition gives the same for what buffers and scalars hold now. One that
// cannot take them depends on them.
func (t *CaseRun) same(want Answers) (same bool) {
	defer func() {
		if recover() != nil {
			same = false
		}
	}()
	got := t.Kernel.Oracle(t.problem())
	return maps.EqualFunc(want, got, func(a, b oracles.Answer) bool {
		return slices.EqualFunc(a.Want, b.Want, func(x, y float64) bool { return x == y || x != x && y != y }) ||
			a.Exact
	})
}

// conclude says what nothing has shown.
func (v *review) conclude() {
	k := v.kernel
	if v.probed == 0 {
		return // what went wrong has been said
	}
	for _, a := range k.Args {
		if a.Buffer() && a.Role != RoleOut && !v.matters[a.Name] {
			v.say("the oracle ignores the input %s: no result changes with it", a.Name)
		}
		if a.Writable() && !v.open[a.Name] {
			v.say("nothing is said of the output %s at any point", a.Name)
		}
		for _, f := range a.Scalars() {
			if len(v.scalars[f.Name]) == 1 && !v.matters[f.Name] {
				v.say("the scalar %s is always %v, and the oracle does not use it: a kernel that ignores it passes",
					f.Name, first(v.scalars[f.Name]))
			} else if len(v.scalars[f.Name]) == 1 {
				v.say("the scalar %s is always %v: a kernel that has that number in its source passes; settings = "+
					"{%q: […]} gives it others", f.Name, first(v.scalars[f.Name]), f.Name)
			}
		}
	}
	for _, a := range k.Axes {
		if len(v.axes[string(a)]) == 1 {
			v.say("the axis %s never varies: it is always %v", a, first(v.axes[string(a)]))
		}
	}
}

func first(set map[float64]bool) float64 {
	for x := range set {
		return x
	}
	return 0
}
