package judge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/suite"
)

const (
	mostSource = 1 << 20 // bytes of a source with its files
	file       = "kernel.metal"
)

// Devices are what sources are judged on.
type Devices struct {
	Analyse     suite.Analyse   // the front end
	Runner      metalrun.Runner // checks launches, and bounds their instructions
	Counter     metalrun.Runner // counts work
	Exact       *suite.Exact
	Adversaries func(seed uint64) []suite.Adversary
}

// Judge judges sources by specifications. What definitions answer is kept from one source to the next.
type Judge struct {
	kernels []suite.Kernel
	devices Devices
	seed    uint64
	steps   int64 // of all threads in all launches of a source
	oracles *memory
}

// New is a judge by the kernels of families. Requests that name no seed have the session's. A source is given up
// after so many steps of all threads in all of its launches. Steps are counted case by case, in their order: whatever
// else the machine does, and however many cases are under way at once, a source gets the same verdict.
func New(families []suite.Family, d Devices, seed uint64, steps int64) *Judge {
	j := &Judge{devices: d, seed: seed, steps: steps, oracles: newMemory()}
	for _, f := range families {
		for _, k := range f.Kernels {
			k.Oracle = j.oracles.keeping(k)
			j.kernels = append(j.kernels, k)
		}
	}
	return j
}

// find is the kernel that a request is about.
func (j *Judge) find(name string) (*suite.Kernel, error) {
	var names []string
	for i := range j.kernels {
		if k := &j.kernels[i]; k.Name == name || name == "" && len(j.kernels) == 1 {
			return k, nil
		}
		names = append(names, j.kernels[i].Name)
	}
	if name == "" {
		return nil, fmt.Errorf("say which kernel: the specification has %s", strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("the specification has no kernel %q: it has %s", name, strings.Join(names, ", "))
}

// Judge judges a source.
func (j *Judge) Verdict(ctx context.Context, r Request) (v Verdict) {
	v = Verdict{ID: r.ID, Seed: r.Seed}
	defer func() {
		if p := recover(); p != nil {
			v.crash("", crash.New(p))
		}
	}()
	if v.Seed == 0 {
		v.Seed = j.seed
	}
	k, err := j.find(r.Kernel)
	if err != nil {
		v.Error = err.Error()
		return v
	}
	v.Kernel = k.Name
	bytes := len(r.Source)
	for _, text := range r.Files {
		bytes += len(text)
	}
	if bytes > mostSource {
		v.Error = fmt.Sprintf("a source of %d bytes: at most %d are judged", bytes, mostSource)
		return v
	}
	files := maps.Clone(r.Files)
	if files == nil {
		files = map[string]string{}
	}
	for name := range files {
		if strings.HasSuffix(name, ".metal") {
			delete(files, name) // another source
		}
	}
	name := r.file()
	files[name] = r.Source
	shaders, err := suite.NewShaders(files, j.devices.Analyse)
	if err != nil {
		v.Error = err.Error()
		return v
	}
	defer shaders.Release()
	t := &trial{Judge: j, file: name, kernel: k, verdict: &v, opts: suite.Options{Shaders: shaders,
		Observers: suite.Observers{Reach: &suite.Reach{}}, Seed: v.Seed, Exact: j.devices.Exact,
		Adversaries: j.devices.Adversaries(v.Seed)}}
	if t.compiles() {
		t.runChecks(ctx)
		v.Unreached = t.opts.Reach.Unreached(k.Name)
		v.leaveUnknown()
	}
	v.rank()
	return v
}

// trial is one source on its way to its verdict.
type trial struct {
	*Judge
	file    string
	kernel  *suite.Kernel
	verdict *Verdict
	opts    suite.Options
	judged  int            // elements
	steps   int64          // that launches have taken
	hidden  []suite.Result // results with elements that nothing is known of
}

// compiles reports whether there is a kernel to be launched.
func (t *trial) compiles() bool {
	for _, b := range t.opts.Shaders.Broken() {
		if b.Crash != nil {
			t.verdict.crash(b.File+": ", b.Crash)
			return false
		}
		for _, d := range b.Diagnostics {
			t.verdict.Findings = append(t.verdict.Findings,
				Finding{Kind: Compile, Check: d.Code, Text: d.Message, File: d.File, Line: d.Line, Column: d.Col})
		}
	}
	if len(t.verdict.Findings) > 0 {
		return false
	}
	_, _, err := t.opts.Shaders.Find(t.kernel.Name)
	var internal *crash.Crash
	switch {
	case errors.As(err, &internal):
		t.verdict.crash(t.kernel.Name+": ", internal)
		return false
	case err != nil:
		text := fmt.Sprintf("there is no kernel %s", t.kernel.Name)
		if names := t.opts.Shaders.Names(); len(names) > 0 {
			text += ": the source has " + strings.Join(names, ", ")
		}
		t.verdict.Findings = []Finding{{Kind: Compile, Check: "absent", Text: text, File: t.file}}
		return false
	}
	return true
}

// judge takes the source through the points of the specification, then, if it conforms there, through those
// that it cannot know. What ends in a fault or in no time is not asked again.
func (t *trial) runChecks(ctx context.Context) {
	k := *t.kernel
	k.Sweep.AllDecide = true
	own := t.of(k)
	if len(own) == 0 {
		t.verdict.Error = "the specification has no case"
		return
	}
	first, rest := own[:1], own[1:]
	if !t.run(ctx, first, false, t.plainly) || slices.ContainsFunc(t.verdict.Findings,
		func(f Finding) bool { return f.Check == string(suite.CheckFault) }) {
		return
	}
	if !t.run(ctx, rest, false, t.plainly) {
		return
	}
	sound := len(t.verdict.Findings) == 0
	if sound {
		t.beyond(ctx)
	}
	if t.verdict.NotJudged != "" {
		return
	}
	t.inputs(ctx, first[0])
	t.unjudged()
	t.count(ctx, own)
}

// mostHidden is the part of all elements that may hang on what rounding decides, as the ends of a sorted list do.
const mostHidden = 1.0 / 8

// unjudged finds kernels that keep their results from being judged: they take floats apart, or have rounding decide
// what they compute.
func (t *trial) unjudged() {
	n, apart := 0, false
	for _, r := range t.hidden {
		n, apart = n+r.Unjudged.Elements, apart || r.Unjudged.TakenApart
	}
	if n == 0 || !apart && float64(n) <= mostHidden*float64(t.judged) {
		return
	}
	first := t.hidden[0]
	if apart {
		first = t.hidden[slices.IndexFunc(t.hidden, func(r suite.Result) bool { return r.Unjudged.TakenApart })]
	}
	t.verdict.add(Finding{Kind: Unknown, Check: Unjudged, Case: first.Case, Cases: len(t.hidden),
		Text: fmt.Sprintf("nothing is known of %d of its results, so that they are not judged: %s; keep floats as "+
			"floats, or have the oracle return bounded(values, error)", n, first.Unjudged.Reason)})
}

// run judges cases, and has enter take the failures in. It reports false where there is no going on. At a point that
// was drawn the specification may make no sense.
func (t *trial) run(ctx context.Context, cases []suite.Case, drawn bool, enter func(suite.Case, suite.Result)) bool {
	done, opts := 0, t.opts
	opts.Losses = !drawn
	usable, stop := context.WithCancel(ctx)
	defer stop()
	err := suite.Run(usable, t.devices.Runner, opts, cases, func(r suite.Result) {
		c := cases[done]
		if t.steps += r.Steps; t.steps > t.Judge.steps || r.OutOfSteps {
			if t.verdict.NotJudged == "" {
				t.verdict.NotJudged = fmt.Sprintf("launches used up the %d steps that -timeout gives a source, after "+
					"%d of %d cases", t.Judge.steps, done, len(cases))
			}
			stop()
			return
		}
		done++
		t.verdict.Cases++
		t.judged += r.Elements
		if r.Unjudged != nil && !c.NearDecisions() {
			t.hidden = append(t.hidden, r)
		}
		for _, l := range r.Losses {
			t.verdict.add(Finding{Kind: Accuracy, Check: Lossy, Text: l.String(), Case: c.Name, Cases: 1,
				size: size(c.Kernel, c.Shape)})
		}
		switch r.Status {
		case suite.Fail:
			enter(c, r)
		case suite.Error, suite.Skip:
			if r.Crash != nil {
				t.verdict.crash(r.Case+": ", r.Crash)
			}
			if t.verdict.Error == "" && !drawn && r.Unjudged == nil {
				t.verdict.Error = fmt.Sprintf("%s: %s", r.Case, r.Reason)
			}
		}
	})
	if err != nil && t.verdict.NotJudged == "" {
		t.verdict.Error = err.Error()
	}
	return err == nil && t.verdict.Error == "" && t.verdict.NotJudged == ""
}

// plainly takes the failures of a case for what they are.
func (t *trial) plainly(c suite.Case, r suite.Result) {
	for _, f := range r.Failures {
		t.verdict.add(t.finding(kindOf(f.Check), string(f.Check), f.String(), c, f))
	}
}

func (t *trial) finding(kind Kind, check, text string, c suite.Case, f suite.Failure) Finding {
	found := Finding{Kind: kind, Check: check, Text: text, Case: c.Name, Cases: 1, size: size(c.Kernel, c.Shape)}
	if f.At != nil {
		found.File, found.Line, found.Column = f.At.File, f.At.Line, f.At.Col
		found.Text = strings.TrimPrefix(text, f.At.Position.String()+": ")
	}
	return found
}

// as takes the first failure of a case for a cheat.
func (t *trial) as(check, what string) func(suite.Case, suite.Result) {
	return func(c suite.Case, r suite.Result) {
		if len(r.Failures) == 0 {
			return
		}
		t.verdict.add(t.finding(Cheat, check, what+": "+r.Failures[0].String(), c, suite.Failure{}))
	}
}

// beyond judges what conforms where the specification asks at points that the seed draws, with other scalars, and with
// outputs that hold something.
func (t *trial) beyond(ctx context.Context) {
	r := generator(t.verdict.Seed)
	near, far := points(t.kernel, r, false), points(t.kernel, r, true)
	k := *t.kernel
	k.Sweep = suite.Sweep{Shapes: near, Inputs: t.kernel.Sweep.Inputs}
	if !t.run(ctx, t.of(k), true,
		t.as(Tuned, "passes at the points of the specification, and fails at another between them")) {
		return
	}
	k.Sweep.Shapes = far
	if !t.run(ctx, t.of(k), true, t.as(Skipped, "passes up to the sizes of the specification, and fails beyond them")) {
		return
	}
	k.Sweep.Shapes = nil
	for _, s := range t.scalars(r) {
		k.Sweep.Settings = []suite.Setting{s}
		name := strings.TrimPrefix(s.Name, "other_")
		if !t.run(ctx, t.of(k), true, t.as(Constant, fmt.Sprintf("%s is taken for a constant", name))) {
			return
		}
	}
	t.left(ctx)
	if len(t.verdict.Findings) == 0 {
		t.switches(ctx)
	}
	t.often(ctx, r, slices.Concat(near, far))
}

// often judges the kernel at many small points, and at many more as long as there is code that nothing has reached:
// whatever leads there may hold at few sizes.
func (t *trial) often(ctx context.Context, r *rand.Rand, known []suite.Shape) {
	k := *t.kernel
	for draws := 0; draws < smallMost && len(t.verdict.Findings) == 0; draws += smallUsual {
		if draws > 0 && len(t.opts.Reach.Unreached(k.Name)) == 0 {
			return
		}
		list := small(t.kernel, r, smallUsual, known)
		known = append(known, list...)
		k.Sweep = suite.Sweep{Shapes: list, Inputs: t.kernel.Sweep.Inputs}
		if len(list) > 0 && !t.run(ctx, t.of(k), true,
			t.as(Tuned, "passes at the points of the specification, and fails at another between them")) {
			return
		}
	}
}

// of are the cases of a kernel, those made from constants of the source included where the kernel has probes.
func (t *trial) of(k suite.Kernel) []suite.Case {
	return suite.WithConstants(suite.Cases([]suite.Family{{Name: "search", Kernels: []suite.Kernel{k}}}, suite.Quick),
		t.opts.Shaders, nil)
}

// constant is a floating scalar that does not depend on the point.
type constant struct {
	name  string
	value float64
}

// constants are those of the kernel, if they are other than 0.
func (t *trial) constants() []constant {
	if len(t.kernel.Sweep.Probes) == 0 {
		return nil
	}
	base := t.kernel.Sweep.Probes[0]
	var list []constant
	for _, a := range t.kernel.Args {
		fields := a.Fields
		if a.Role == suite.RoleConst {
			fields = []suite.Field{{Name: a.Name, Type: a.Type, Value: a.Value}}
		}
		for _, f := range fields {
			if _, float := f.Type.Format(); !float || f.Value == nil {
				continue
			}
			x := f.Value.Value(base)
			varies := slices.ContainsFunc(t.kernel.Sweep.Shapes,
				func(p suite.Shape) bool { return f.Value.Value(p) != x })
			if !varies && x != 0 {
				list = append(list, constant{f.Name, x})
			}
		}
	}
	return list
}

// scalars are settings in which one of these is another number.
func (t *trial) scalars(r *rand.Rand) []suite.Setting {
	var list []suite.Setting
	for _, c := range t.constants() {
		if other := c.value * (1.25 + r.Float64()); !math.IsInf(other, 0) {
			list = append(list, suite.Setting{Name: "other_" + c.name, Shape: t.kernel.Sweep.Probes[0],
				Set: map[string]float64{c.name: other}})
		}
	}
	return list
}

// held are what outputs hold before a launch that must not matter.
var held = []struct {
	name string
	fill suite.Fill
}{{"zeros", suite.Every(0)}, {"halves", suite.Every(0.5)}, {"normal", suite.Normal}}

// left judges the kernel with outputs that hold something, as after an earlier launch.
func (t *trial) left(ctx context.Context) {
	if len(t.kernel.Sweep.Probes) == 0 {
		return
	}
	k := *t.kernel
	k.Args = slices.Clone(k.Args)
	var outputs []string
	for i, a := range k.Args {
		if a.Role == suite.RoleOut {
			k.Args[i].Role = suite.RoleInOut
			outputs = append(outputs, a.Name)
		}
	}
	k.Sweep = suite.Sweep{Inputs: t.kernel.Sweep.Inputs}
	for _, h := range held {
		fills := suite.Fills{}
		for _, name := range outputs {
			fills[name] = h.fill
		}
		k.Sweep.Settings = append(k.Sweep.Settings,
			suite.Setting{Name: "left_" + h.name, Shape: t.kernel.Sweep.Probes[0], Fills: fills})
	}
	if len(outputs) > 0 {
		t.run(ctx, t.of(k), true, t.as(Left, "depends on what the output holds before the launch"))
	}
}

// ambiguous is how many unit roundoffs of each other results may be and still be stored as the same number.
const ambiguous = 64

// inputs finds those that the definition depends on and the kernel does not: an input is drawn anew with all others as
// they are.
func (t *trial) inputs(ctx context.Context, c suite.Case) {
	opts := t.opts
	opts.Adversaries = nil
	base, err := suite.Record(t.devices.Runner, opts, c)
	if err != nil || len(base.After) == 0 {
		return
	}
	for _, a := range t.kernel.Args {
		if !a.Buffer() || a.Role == suite.RoleOut || ctx.Err() != nil {
			continue
		}
		changed := c
		changed.Input.Fills = maps.Clone(c.Input.Fills)
		if changed.Input.Fills == nil {
			changed.Input.Fills = suite.Fills{}
		}
		changed.Input.Fills[a.Name] = anew(c, a)
		other, err := suite.Record(t.devices.Runner, opts, changed)
		if err != nil || len(other.After) == 0 {
			continue
		}
		t.verdict.Cases++
		if apart(base.Want, other.Want) && sameArrays(base.After, other.After) {
			t.verdict.add(Finding{Kind: Cheat, Check: Ignored,
				Text: fmt.Sprintf("results do not depend on %s, and those of the definition do", a.Name), Case: c.Name,
				Cases: 1})
		}
	}
}

// anew is an argument's fill with other numbers.
func anew(c suite.Case, a suite.Arg) suite.Fill {
	fill, ok := c.Input.Fills[a.Name]
	if !ok {
		fill = c.Kernel.DefaultFill(a)
		if inputs := c.Kernel.Sweep.Inputs; len(inputs) > 0 && inputs[0].Fills[a.Name] != nil {
			fill = inputs[0].Fills[a.Name]
		}
	}
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		r.Uint64()
		fill(r, s, x)
	}
}

// apart reports whether definitions differ by so much that no two of them round to the same: results of different
// inputs may well.
func apart(a, b []suite.Recorded) bool {
	for i := range a {
		format, _ := a[i].Type.Format()
		for j, x := range a[i].Values {
			if y := b[i].Values[j]; math.Abs(x-y) > ambiguous*format.UnitRoundoff()*max(math.Abs(x), math.Abs(y)) {
				return true
			}
		}
		if !slices.Equal(a[i].Data, b[i].Data) {
			return true
		}
	}
	return false
}

func sameArrays(a, b []suite.Recorded) bool {
	return slices.EqualFunc(a, b, func(a, b suite.Recorded) bool {
		return slices.Equal(a.Data, b.Data) &&
			slices.EqualFunc(a.Values, b.Values, func(x, y float64) bool { return x == y || x != x && y != y })
	})
}

// count measures the work of the largest of the first few cases.
func (t *trial) count(ctx context.Context, own []suite.Case) {
	largest := suite.Largest(own)
	if len(largest) == 0 {
		return
	}
	opts := t.opts
	opts.Adversaries = nil
	_ = suite.Run(ctx, t.devices.Counter, opts, largest[:1], func(r suite.Result) {
		if r.Work == nil {
			return
		}
		cost := t.kernel.Cost(largest[0].Shape)
		t.verdict.Work = []Work{{r.Case, *r.Work, Definition{cost.Bytes, cost.Operations}}}
	})
}
