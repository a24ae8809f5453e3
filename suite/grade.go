package suite

import (
	"fmt"
	"math"
	"strings"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/growth"
)

// weigh enters findings in a result: as failures, or those that no trial has shown to
// matter as warnings, unless the run is strict.
func (r *Result) weigh(strict bool, findings []Failure) {
	for _, f := range findings {
		if f.Grade == metalrun.GradeUndefined && !strict {
			r.Findings = append(r.Findings, f)
			r.warn(f.warning())
			continue
		}
		r.FailBy(append(r.Failures, f))
	}
}

// Settle weighs what launches have found, and more.
func (r *Result) Settle(strict bool, more []Failure) {
	findings := append(r.Findings, more...)
	r.Findings = nil
	r.weigh(strict, findings)
}

// warning is the failure for a reader who is only warned.
func (f Failure) warning() string { return f.String() + f.remedy() }

// Strictly is the result as a strict run has it: findings that only warn fail.
func (r Result) Strictly() Result {
	findings := r.Findings
	if len(findings) == 0 || r.Status != Pass && r.Status != Fail {
		return r
	}
	var warnings []string
	for _, w := range r.Warnings {
		if !saidBy(findings, w) {
			warnings = append(warnings, w)
		}
	}
	r.Findings, r.Warnings = nil, warnings
	r.Failures = append([]Failure(nil), r.Failures...)
	r.weigh(true, findings)
	return r
}

// saidBy reports whether a warning is one of findings.
func saidBy(findings []Failure, warning string) bool {
	for _, f := range findings {
		if f.warning() == warning {
			return true
		}
	}
	return false
}

// forbidden is what kernels of a case can reach though their contract or their arguments do not allow it, and no
// input may show it.
func (o Options) forbidden(c Case) []Failure {
	var list []Failure
	shaders := o.Shaders.Variant(c.Variant)
	for _, name := range c.Kernels() {
		k := c.Kernel
		if c.Pipeline != nil {
			k = c.kernels[name]
		}
		if k == nil {
			continue
		}
		_, info, err := shaders.Find(name)
		if err != nil {
			continue // that there is none has been said
		}
		list = append(list, o.coarseCalls(shaders, k, info)...)
		list = append(list, shaders.storesToInputs(k, info)...)
	}
	return list
}

// coarseCalls are the calls of functions that are less accurate than a kernel's contract promises.
func (o Options) coarseCalls(shaders *Shaders, k *Kernel, info metalrun.KernelInfo) []Failure {
	calls, err := shaders.CoarseCalls(k)
	if err != nil {
		return nil
	}
	var list []Failure
	t := newCaseRun(Case{Kernel: k}, caseOptions{declared: o.Declared, today: o.Today})
	for _, call := range calls {
		f := declarationFailure(CheckFunctions, info,
			fmt.Sprintf("%s is less accurate than the contract of precise f32 functions allows for", call.Function))
		f.At.Position, f.At.Does, f.Grade = call.Position, "call", metalrun.GradeUndefined
		if !o.Today.IsZero() {
			f.Remedy = t.remedy([]oracles.Setting{allowing(call)}, 0)
		}
		list = append(list, f)
	}
	return list
}

// storesToInputs are the stores of a kernel to buffers that it has to leave alone. What they store may be
// what was there: another kernel that reads the buffer meanwhile is not to see them either.
func (s *Shaders) storesToInputs(k *Kernel, info metalrun.KernelInfo) []Failure {
	program, err := s.plainProgram(k.Name)
	if err != nil {
		return nil
	}
	stores, err := program.Stores(k.Name)
	if err != nil {
		return nil
	}
	var list []Failure
	for _, store := range stores {
		a, ok := k.Args.At(store.Buffer)
		if !ok || a.Role != RoleIn {
			continue
		}
		f := declarationFailure(CheckReadOnly, info, fmt.Sprintf("%s is only read, and this stores to it", a.Name))
		f.At.Position, f.At.Does, f.Grade = store.Position, "write", metalrun.GradeUndefined
		list = append(list, f)
	}
	return list
}

// allowing is the setting of a contract that allows a call.
func allowing(call metalrun.CoarseCall) oracles.Setting {
	if call.Half {
		return oracles.Setting{Key: "intermediates", Value: oracles.F16.String()}
	}
	return oracles.Setting{Key: "functions", Value: oracles.Fast.String()}
}

// CoarseCalls are the calls that a kernel can reach of functions that are less accurate
// than its contract promises; none if that allows for fast functions.
func (s *Shaders) CoarseCalls(k *Kernel) ([]metalrun.CoarseCall, error) {
	if k.Contract.Functions != oracles.Precise || k.Contract.Intermediates != oracles.F32 {
		return nil, nil
	}
	program, err := s.plainProgram(k.Name)
	if err != nil {
		return nil, err
	}
	return program.CoarseCalls(k.Name)
}

// plainProgram is the program of the file that exports a kernel, in safe mathematics.
func (s *Shaders) plainProgram(kernel string) (*metalrun.Program, error) {
	file, _, err := s.Find(kernel)
	if err != nil {
		return nil, err
	}
	return s.unit(file).program(Build{}, metalrun.Math{}, "")
}

// checkFailures turns what a checking runner found in the launches of a case into
// failures, one for each position in the program. What no trial has shown to change a
// result goes into the findings, to be weighed, and what is only worth knowing into the
// notes.
func (t *CaseRun) checkFailures(r *Result) []Failure {
	var out []Failure
	seen := map[string]bool{}
	for _, f := range t.findings {
		key := fmt.Sprint(f.Check, f.Position, f.Other)
		if f.Grade == metalrun.GradeNote {
			key = fmt.Sprint(f.Check, f.Position)
		}
		switch {
		case seen[key]:
		case f.Grade == metalrun.GradeNote:
			r.note(fmt.Sprintf("%s: %s", f.Position, f.Message))
		case f.Grade == metalrun.GradeUndefined:
			r.Findings = append(r.Findings, failureOf(f))
		case f.Check == string(CheckFastMath) && t.Case.unsaid:
			r.note(fmt.Sprintf("%s: %s", f.Position, sayMath))
		default:
			out = append(out, failureOf(f))
		}
		seen[key] = true
	}
	return out
}

func failureOf(f metalrun.Finding) Failure {
	return Failure{Check: Check(f.Check), Kernel: f.Kernel, Text: f.Message, At: new(f.Party), Other: f.Other,
		Grade: f.Grade, Trials: f.Trials}
}

// unspecified reports whether a buffer's contents mean nothing: an output that no
// launch has been given yet.
func (t *CaseRun) unspecified(b *buffer) bool { return b.arg.Role == RoleOut && !t.launched[b] }

// markLaunched records the buffers that a launch was given.
func (t *CaseRun) markLaunched(l Launch) {
	for _, a := range t.Kernel.Args {
		if b, err := t.bound(a.Name, l); err == nil {
			t.launched[b] = true
		}
	}
}

// reset begins the launches of a case anew.
func (t *CaseRun) reset() {
	t.findings, t.work, t.profiles, t.launched = nil, nil, nil, map[*buffer]bool{}
}

// faultFailure is a launch that ended in a fault.
func faultFailure(fault *metalrun.Fault) Failure {
	f := Failure{Check: CheckFault, Kernel: fault.Kernel, Text: fault.Message}
	if fault.File != "" {
		f.At = &metalrun.Party{Position: fault.Position, Does: "stopped", Thread: fault.Thread,
			Threadgroup: fault.Threadgroup}
	}
	return f
}

// declarationFailure is what is wrong with how an entry point is declared.
func declarationFailure(check Check, info metalrun.KernelInfo, text string) Failure {
	return Failure{Check: check, Kernel: info.Name, Text: text,
		At: &metalrun.Party{Position: info.Position, Does: "declaration"}}
}

// mostUndecided is the share of the elements of a case that may stay undecided: neither exact execution nor anything
// else bounds them. judge has the same for all cases of a source together. conform run, which is strict with the
// catalogue, finds no case of it beyond this share.
const mostUndecided = 1.0 / 8

// undecided is what is wrong with a case that passes with too many elements that nothing bounds.
func (o Options) undecided(c Case, r *Result) []Failure {
	u := r.Unjudged
	if !c.hasToBeDecided(r) {
		return nil
	}
	n := u.Elements - u.Held
	_, info, err := o.Shaders.Variant(c.Variant).Find(c.Kernel.Name)
	if err != nil {
		return nil // that there is none has been said
	}
	f := declarationFailure(CheckUndecided, info, fmt.Sprintf("%d of %s are not decided (%.2g %%), and may hold "+
		"anything: %s", n, printable.Count(r.Elements, "element"), 100*float64(n)/float64(r.Elements), u.Reason))
	f.Grade = metalrun.GradeUndefined
	return []Failure{f}
}

// hasToBeDecided reports whether a case passes with too many elements that nothing bounds, though it could be decided:
// next to decisions, and at the edge of the numbers that a format has, any of several results may be right. Other modes
// than safe let a compiler rewrite expressions, of which exact execution soon knows nothing.
func (c Case) hasToBeDecided(r *Result) bool {
	u := r.Unjudged
	return u != nil && r.Status == Pass && c.Math.Mode == metalrun.MathSafe && c.Pipeline == nil && !u.Edge &&
		!c.Input.atEdge() && !c.NearDecisions() &&
		float64(u.Elements-u.Held) > mostUndecided*float64(r.Elements)
}

// atEdge reports whether an input holds a number that is not finite, or a subnormal one, before launches.
func (t *CaseRun) atEdge() bool {
	return t.holds(t.problem(), func(of oracles.Format, x float64) bool {
		return !isFinite(x) || x != 0 && math.Abs(x) < of.SmallestNormal()
	})
}

// mostLaunches is how many launches of a sequence the search for narrow indices makes at most.
const mostLaunches = 1 << 12

// Within are the options of runs of a few of some cases each: what is said of a kernel once, the first of all says.
// With none nobody says it.
func (o Options) Within(cases []Case) Options {
	o.firsts = firstBuilds(cases)
	return o
}

// firstBuilds are the names of cases that are the first whole ones of a kernel in a variant and a build.
func firstBuilds(cases []Case) map[string]bool {
	type build struct{ kernel, variant, key string }
	names, seen := map[string]bool{}, map[build]bool{}
	for _, c := range cases {
		if c.Pipeline != nil || c.Input.Name == refused || c.end != nil {
			continue
		}
		b := build{kernel: c.Kernel.Name, variant: c.Variant}
		if c.Kernel.Build != nil {
			b.key = c.Build().Key()
		}
		if !seen[b] {
			seen[b], names[c.Name] = true, true
		}
	}
	return names
}

// narrowIndex is what is wrong with an index that has too few bits for some size that hosts launch. The first case of a
// build tells it.
func (o Options) narrowIndex(c Case) []Failure {
	if !o.firsts[c.Name] {
		return nil
	}
	shaders := o.Shaders.Variant(c.Variant)
	file, _, err := shaders.Find(c.Kernel.Name)
	if err != nil {
		return nil // that there is none has been said
	}
	program, err := shaders.unit(file).program(c.Build(), c.Arithmetic(), c.Kernel.Name)
	if err != nil {
		return nil
	}
	widths, err := program.IndexWidths(c.Kernel.Name)
	if err != nil {
		return nil
	}
	found := growth.Smallest(widths, c.space())
	if found == nil {
		return nil
	}
	f := Failure{Check: CheckWidths, Kernel: c.Kernel.Name, Text: c.narrow(found),
		At: &metalrun.Party{Position: found.Position, Does: "wraps"}}
	if !found.Bounded && found.Elements > plainlyMany {
		f.Grade = metalrun.GradeUndefined
	}
	return []Failure{f}
}

// plainlyMany is how many elements a buffer may have that any host may make, whoever says so or not: 4 GiB of float.
// Larger ones fit no Mac of 8 GiB and few of 16 together with a model.
const plainlyMany = 1 << 30

// space are the points that the case's kernel may be launched at.
func (c Case) space() growth.Space {
	space := growth.Space{Launch: c.weightless}
	point := func(s Shape) (list []int) {
		for _, a := range c.Kernel.Axes {
			list = append(list, a.Size(s))
		}
		return list
	}
	largest := c.Shape
	for _, s := range append(c.Kernel.Sweep.Shapes, c.Kernel.Sweep.Probes...) {
		if c.Kernel.most(s) > c.Kernel.most(largest) {
			largest = s
		}
	}
	space.Sweep = [][]int{point(c.Shape), point(largest)}
	for _, a := range c.Kernel.Axes {
		space.Limits = append(space.Limits, c.Kernel.Limits[a])
	}
	return space
}

// weightless is what the kernel is given at a point, without memory. It reports false where the host refuses that, or
// the specification has nothing there.
func (c Case) weightless(point []int) (l growth.Launch, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			ok = false // an extent or a scalar has no value there
		}
	}()
	for i, a := range c.Kernel.Axes {
		c.Shape = c.Shape.With(Shape{a: point[i]})
	}
	if c.Kernel.check(c.Shape) != nil {
		return l, false
	}
	for _, a := range c.Kernel.Args {
		if a.Buffer() {
			n := a.Count(c.Shape)
			l.Elements, l.Bytes = max(l.Elements, n), l.Bytes+n*a.Type.Bytes()
		}
	}
	launches := c.LaunchSequence()
	if len(launches) > mostLaunches {
		return l, false
	}
	for i, launch := range launches {
		if i > 0 && i < len(launches)-1 {
			continue // it is smaller than the last, or as large
		}
		shape := c.Shape.With(launch.Shape)
		d := metalrun.Dispatch{Threadgroups: size(c.Kernel.Grid.Threadgroups, shape),
			Threads: size(c.Kernel.Grid.Threads, shape), ThreadsPerThreadgroup: size(c.Kernel.Grid.Of, shape)}
		for n, a := range c.Kernel.Args {
			if !a.Buffer() {
				data := a.inline(c.Shape, launch)
				d.Bindings = append(d.Bindings, metalrun.Binding{Index: c.Kernel.Args.Binding(n), Data: data,
					Length: len(data), Inline: true})
			}
		}
		for _, e := range c.Kernel.ThreadgroupMemory {
			d.ThreadgroupMemory = append(d.ThreadgroupMemory, e.Size(shape))
		}
		l.Dispatches = append(l.Dispatches, d)
	}
	return l, true
}

// narrow says what is wrong with an index, at which shape, and what cures it.
func (c Case) narrow(f *growth.Found) string {
	name := f.Variable
	if name == "" {
		name = fmt.Sprintf("an index in %q", f.Line)
	}
	var sizes, limits []string
	for i, a := range c.Kernel.Axes {
		sizes = append(sizes, fmt.Sprintf("%s=%d", a, f.Point[i]))
		if c.Kernel.Limits[a] == 0 && f.Point[i] > a.Size(c.Shape) {
			limits = append(limits, fmt.Sprintf("%q: %d", string(a), f.Point[i]-1))
		}
	}
	text := fmt.Sprintf("%s has too few bits: it wraps at %s", name, strings.Join(sizes, "/"))
	if f.Branch {
		text += fmt.Sprintf(", and the branch at %s goes the other way", f.Use)
	} else {
		text += fmt.Sprintf(", and the access at %s goes to byte %d of its buffer instead of byte %d", f.Use, f.Got,
			f.Exact)
	}
	text += "\n\tcompute it in long or ulong, beginning with its first factor"
	if len(limits) > 0 {
		text += fmt.Sprintf("; if no host launches such sizes, the specification says so: limits = {%s}",
			strings.Join(limits, ", "))
	}
	return text
}
