package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/printable"
	"metalconform/reports/diagnostics"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// launched is how a kernel was launched.
type launched struct {
	Case    string   `json:"case,omitempty"`    // of the catalogue
	Given   []string `json:"given,omitempty"`   // as flags
	Guessed []string `json:"guessed,omitempty"` // likewise
}

// String is for a reader: what was guessed may be at fault.
func (l launched) String() string {
	if l.Case != "" {
		return "launched as case " + l.Case
	}
	text := "nothing guessed"
	if l.Guessed != nil {
		text = "guessed (state what is otherwise): " + spelt(l.Guessed)
	}
	if l.Given != nil {
		text = "given: " + spelt(l.Given) + "\n\t" + text
	}
	return text
}

// spelt are flags for a reader. A source may have thousands of function constants, each of which is one.
func spelt(flags []string) string {
	const most = 100
	if n := len(flags) - most; n > 0 {
		return fmt.Sprintf("%s and %d more, which -format json has", strings.Join(flags[:most], " "), n)
	}
	return strings.Join(flags, " ")
}

// observation is a finding with the launch that showed it.
type observation struct {
	Source string `json:"source"` // the file on the command line
	metalrun.Finding
	Launch launched        `json:"launch"`
	shown  *adhoc.Launch   // that showed it, if its inputs were generated
	fault  *metalrun.Fault // that it is, if it is one
}

func (o observation) String() string {
	if o.Grade == metalrun.GradeNote {
		return fmt.Sprintf("%s: note: %s", o.Position, o.Message)
	}
	return fmt.Sprintf("%s\n\t%s", o.Finding, o.Launch)
}

// diagnostic is the observation as others write it.
func (o observation) diagnostic(warns bool) diagnostics.Diagnostic {
	d := diagnostics.Diagnostic{Severity: diagnostics.Error, Detail: o.Launch.String()}
	d.Position, d.Code, d.Message = o.Position, o.Check, o.Kernel+": "+o.Message
	switch {
	case o.Grade == metalrun.GradeNote:
		d.Severity = diagnostics.Note
	case warns:
		d.Severity = diagnostics.Warning
	}
	if o.Other != nil {
		d.Notes = append(d.Notes, metalrun.DiagnosticNote{Position: o.Other.Position, Message: "the other party: " + o.Other.Does})
	}
	return d
}

// counted is the number of observations without notes.
func counted(list []observation) int {
	n := 0
	for _, o := range list {
		if o.Grade != metalrun.GradeNote {
			n++
		}
	}
	return n
}

// elsewhere turns a finding at one threadgroup size into a note, because another size
// shows none.
func (o *observation) elsewhere(size, other metalrun.Size) {
	if o.Grade == metalrun.GradeNote {
		return
	}
	o.Grade = metalrun.GradeNote
	o.Message = fmt.Sprintf("%s in threadgroups of %d threads, and nothing is found in those of %d: %s", o.Check, size.Count(), other.Count(), o.Message)
}

// ends reports whether it ended its launch.
func (o observation) ends() bool { return o.Check == "fault" || o.Check == "launch" }

// guessed reports whether what launches took for granted may be at fault: who states some of it counts on
// the rest.
func (o observation) guessed() bool {
	return o.Grade != metalrun.GradeNote && len(o.Launch.Guessed) > 0 && len(o.Launch.Given) == 0
}

// mayBeDueTo reports whether a finding that other guesses do not show may have been the fault of the first.
// Places that fall together part if strides do, or lengths by which indices are multiplied grow. Who makes
// lengths smaller only hides such a finding, or a barrier that some threads do not reach, since any length
// has to do.
func (o observation) mayBeDueTo(other adhoc.Otherwise) bool {
	switch {
	case !o.guessed():
		return false
	case other.Filled:
		return o.Check == string(suite.CheckUndefined)
	case other.Apiece:
		return o.inBuffer() && o.Does == "write" && o.Other.Does == "write"
	case other.Counts:
		return o.Check != string(suite.CheckUndefined)
	case other.Least:
		return o.leavesArray()
	case o.Check == string(suite.CheckUndefined):
		return true
	case o.is(metalrun.Divergent):
		return false
	case o.is(metalrun.Misaligned), o.before():
		return other.Apart || other.Wider
	case o.ends():
		return true
	case !o.inBuffer():
		return false
	}
	return other.Apart || other.Wider && o.Threadgroup != o.Other.Threadgroup
}

// inBuffer reports whether it is a race in device memory.
func (o observation) inBuffer() bool {
	return o.Check == string(suite.CheckRace) && o.Object.Table == "buffer"
}

// unspecified reports whether it is shown by launches with other values for what is unspecified.
func (o observation) unspecified() bool {
	return !o.ends() && o.Check != string(suite.CheckRace)
}

// is reports whether it is a fault of a kind.
func (o observation) is(kind metalrun.FaultKind) bool { return o.fault != nil && o.fault.Kind == kind }

// before reports whether it is an access before the beginning of its memory.
func (o observation) before() bool { return o.is(metalrun.OutOfRange) && o.fault.Access.Offset < 0 }

// leavesArray reports whether it is an access beyond the end of an array that the kernel declares.
func (o observation) leavesArray() bool {
	return o.is(metalrun.OutOfRange) && o.fault.Access.Index < 0 && !o.before()
}

// beyondLocal is the flag that states the length of a threadgroup argument beyond whose end it is an access, "" for
// others, and where nobody guessed that length or function constants. What the host has to allocate depends on such constants:
// with other values the memory that a device has may do.
func (o observation) beyondLocal() string {
	constant := func(flag string) bool { return strings.HasPrefix(flag, "-constant ") }
	if !o.guessed() || !o.is(metalrun.OutOfRange) || o.before() || o.fault.Access.Table != "threadgroup" || !slices.ContainsFunc(o.Launch.Guessed, constant) {
		return ""
	}
	local := fmt.Sprintf("-local %d=", o.fault.Access.Index)
	if !slices.ContainsFunc(o.Launch.Guessed, func(flag string) bool { return strings.HasPrefix(flag, local) }) {
		return ""
	}
	return local + "N"
}

// constantsDecide turns such an access into a note.
func (o *observation) constantsDecide(local string) {
	o.Grade = metalrun.GradeNote
	o.Message = fmt.Sprintf("fault with guessed function constants, in all the threadgroup memory that there is: state them with -constant, and %s: %s", local, o.Message)
}

// verdict says what a finding with another length comes to.
type verdict uint8

const (
	passed    verdict = iota // what a length alone may make: rows that fall together, too many steps
	undecided                // a host may know that there is no such length
	decided
)

// ofLength is the verdict on a finding that only another length shows. Memory of a threadgroup and barriers have
// to be right for each, whatever the threads of a threadgroup; where rows lie is decided if nothing else says so.
func (o observation) ofLength(other adhoc.Otherwise, threads int) verdict {
	switch {
	case o.Grade == metalrun.GradeNote:
		return passed
	case o.Check == string(suite.CheckRace):
		if o.Object.Table == "threadgroup" || other.Alone {
			return decided
		}
	case o.Check == string(suite.CheckUninitial):
		if other.Only {
			return decided
		}
	case !o.ends():
	case o.is(metalrun.Divergent) && other.Value < float64(threads):
		return undecided // a host may launch no more threads than the length
	case o.is(metalrun.Divergent), o.before():
		return decided
	case o.leavesArray(), o.is(metalrun.Misaligned):
		return undecided
	}
	return passed
}

// undecided turns a finding that only some length shows into a note.
func (o *observation) undecided(stated []string) {
	o.Grade = metalrun.GradeNote
	o.Message = fmt.Sprintf("%s with %s: give that flag if there are such lengths, or state those that there are, as flags or in a launch file: %s", o.Check, stated[len(stated)-1], o.Message)
}

// placed is a check at a place of the source, and of a race in device memory the least group of its parties: threads may
// race there for another reason than threadgroups.
type placed struct {
	check string
	at    metalrun.Position
	among metalrun.Scope
}

func (o observation) placed() placed {
	at := placed{check: o.Check, at: o.Position}
	if o.inBuffer() {
		at.among = o.Among
	}
	return at
}

// same reports whether two findings are of one check at one place.
func (o observation) same(p observation) bool { return o.placed() == p.placed() }

// dueTo turns a finding into a note, because it is not found where other values are stated.
func (o *observation) dueTo(stated []string) {
	o.Grade = metalrun.GradeNote
	const most = 4
	text := strings.Join(stated[:min(most, len(stated))], " ")
	if len(stated) > most {
		text += " …"
	}
	o.Message = fmt.Sprintf("%s with guessed integers, and nothing of the kind with %s: state them, or a launch file: %s", o.Check, text, o.Message)
}

// failed is a launch that ended early: with a fault of the kernel, or before it
// began.
func (q *inquiry) failed(info metalrun.KernelInfo, err error) observation {
	o := observation{Source: q.file}
	if errors.As(err, &o.fault) {
		f := o.fault
		at := metalrun.Party{Position: f.Position, Does: "fault", Thread: f.Thread, Threadgroup: f.Threadgroup}
		o.Finding = metalrun.Finding{Check: "fault", Kernel: f.Kernel, Message: f.Message, Party: at}
		return o
	}
	o.Finding = metalrun.Finding{Check: "launch", Kernel: info.Name, Message: err.Error(), Party: declared(info)}
	return o
}

// declared is the place of a kernel.
func declared(info metalrun.KernelInfo) metalrun.Party {
	return metalrun.Party{Position: info.Position, Does: "declaration"}
}

// print prints what has not been seen before between the same two places.
func (t *tally) print(list []observation) error {
	for _, o := range list {
		key := fmt.Sprint(o.Kernel, o.Grade, o.between())
		if t.seen[key] {
			continue
		}
		t.seen[key] = true
		warns := o.Grade == metalrun.GradeUndefined && !t.strict
		switch {
		case o.Grade == metalrun.GradeNote:
		case warns:
			t.warned++
		default:
			t.found++
		}
		var err error
		switch {
		case t.format == diagnostics.JSON:
			err = encodeLines(t.stdout, []observation{o})
		case t.format != diagnostics.Text:
			err = t.out.Write([]diagnostics.Diagnostic{o.diagnostic(warns)}, t.text)
		case t.verbose:
			err = t.write(o)
		default:
			t.gather(o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write prints an observation as text.
func (t *tally) write(o observation) error {
	severity := t.severity(o)
	if o.Grade == metalrun.GradeNote {
		severity = "" // it says so itself
	}
	_, err := fmt.Fprintf(t.stdout, "%s%s\n", severity, o)
	return err
}

// severity is what an observation is but an error.
func (t *tally) severity(o observation) string {
	switch {
	case o.Grade == metalrun.GradeNote:
		return "note: "
	case o.Grade == metalrun.GradeUndefined && !t.strict:
		return "warning: "
	}
	return ""
}

// again is what kernels have shown between the same two places: the gravest of it, and the others.
type again struct {
	observation
	kernels []string // that have shown it beside this one
}

// gather keeps an observation of a kernel with those that others have shown at its places.
func (t *tally) gather(o observation) {
	between := o.between()
	before := t.again[between]
	switch {
	case before == nil:
		t.again[between] = &again{observation: o}
		t.told = append(t.told, t.again[between])
	case o.gravity() > before.gravity():
		*before = again{o, append(before.kernels, before.Kernel)}
	default:
		before.kernels = append(before.kernels, o.Kernel)
	}
}

// findings prints what was gathered, in the order in which places were come across, and says which other kernels have
// shown it. A note on a place where another kernel has an error is left out.
func (t *tally) findings() error {
	all := make([]observation, len(t.told))
	for i, a := range t.told {
		all[i] = a.observation
	}
	grave := gravest(all)
	var others strings.Builder
	for _, a := range t.told {
		if grave.hides(a.observation) {
			continue
		}
		if err := t.write(a.observation); err != nil {
			return err
		}
		if len(a.kernels) > 0 {
			fmt.Fprintf(&others, "%s: %s%s: the same in %s; -v shows each\n", a.Position, t.severity(a.observation), a.Check, printable.Line(otherKernels(a.kernels)))
		}
	}
	t.told = nil
	_, err := io.WriteString(t.stdout, others.String())
	return err
}

// sum says what was done with the file.
func (t *tally) sum(u unit) error {
	if t.format != diagnostics.Text {
		return nil
	}
	verdict := "ok"
	if t.found > 0 || len(t.crashed) > 0 {
		verdict = plural(t.found, "finding")
	}
	if n := len(t.crashed); n > 0 {
		verdict += ", " + plural(n, "kernel") + " could not be judged"
	}
	if t.warned > 0 {
		verdict += ", " + plural(t.warned, "warning")
	}
	var names []string
	for _, k := range u.kernels {
		names = append(names, k.Name)
	}
	fmt.Fprintf(t.stdout, "%s: %s, %s; %s", t.file, verdict, kernelNames(names, t.verbose), plural(t.launches, "launch"))
	if t.cases > 0 {
		fmt.Fprintf(t.stdout, ", %d of them cases of the catalogue, whose values conform run -shaders judges", t.cases)
	}
	fmt.Fprintln(t.stdout)
	return nil
}

// otherKernels says how many kernels there are beside one, and names the first.
func otherKernels(names []string) string {
	const most = 3
	text := plural(len(names), "other kernel") + ": " + strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += ", …"
	}
	return text
}

func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ch"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
