package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/suite"
)

// Problem is what fails a run and is no case.
type Problem struct {
	Kind ProblemKind
	Name string            // what it is about: a file, a kernel or a pipeline, a declaration by its position
	Text string            // a clause that follows the name, and what supports it in lines below
	Cure string            // what can be done, in lines; "" if the text says it
	At   metalrun.Position // the file from where the run was started; none if it is empty
	// Known says that the baseline has it, too, and that only what is new fails.
	Known bool
}

// ProblemKind says what kind of thing it is about.
type ProblemKind string

// Kinds of problems, in the order in which they are reported.
const (
	ProblemFile        ProblemKind = "file"        // of the shaders: it does not compile
	ProblemNothing     ProblemKind = "nothing"     // was judged at all
	ProblemKernel      ProblemKind = "kernel"      // that has to be judged, and was not
	ProblemRegression  ProblemKind = "regression"  // of a kernel or case, that the policy names
	ProblemDeclaration ProblemKind = "declaration" // that is out of date
	ProblemEdits       ProblemKind = "edits"       // too few of which the sweep sees
	ProblemUndecided   ProblemKind = "undecided"   // elements of a kernel, more than the policy allows
	ProblemUnexecuted  ProblemKind = "unexecuted"  // lines that changed: no case executes them
	ProblemLoosened    ProblemKind = "loosened"    // specification of a kernel, which the policy does not allow
)

// Requirement is a kernel or pipeline that has to be judged.
type Requirement struct {
	Kernel string `json:"kernel"` // or pipeline
	By     string `json:"by"`     // who says so: a flag, or a declaration by its position
	// Lenient lets a run select other cases, as long as the shaders have what this one
	// would judge.
	Lenient bool `json:"lenient,omitempty"`
	// why nothing can be judged by that name; nil if it can, or if the run has cases of it
	Lack *suite.Lack `json:"lack,omitempty"`

	selected bool // the run has cases of it
}

// Absence is a declaration that kernels and pipelines are absent: nothing requires them.
type Absence struct {
	suite.Entry
	Kernels []string `json:"kernels"` // and pipelines
}

// Problems are what fails the run and is no case.
func (v View) Problems() []Problem {
	unjudged := v.unjudged()
	list := slices.Concat(v.brokenFiles(), v.nothing(), v.unknown(), unjudged, v.undecided(),
		v.regressed(unjudged), v.outdated(), v.More)
	if !v.New || v.Against == nil {
		return list
	}
	for i, p := range list {
		list[i].Known = v.Against.knows(p) && !(v.Change && (p.Kind == ProblemKernel || p.Kind == ProblemFile))
	}
	return list
}

// brokenFiles are the files that do not compile. What an included file has wrong is told once. Files that this program
// panicked over are what a view lacks.
func (v View) brokenFiles() []Problem {
	var list []Problem
	told := map[string]string{} // the first file that a diagnostic is told of
	quote := v.quoter()
	for _, name := range v.fileNames() {
		said := v.Shaders[name].Diagnostics
		if len(said) == 0 || v.Shaders[name].Panicked {
			continue
		}
		text := "does not compile"
		for _, d := range said {
			first, again := told[d.Error()]
			switch {
			case d.Line == 0:
				text += "\n" + d.Message
			case again:
				text += "\n" + d.Error() + ", as in " + first
			default:
				text += "\n" + d.Error() + quote(d.Position)
				told[d.Error()] = name
			}
		}
		at := said[0].Position
		at.File = v.path(at.File)
		list = append(list, Problem{Kind: ProblemFile, Name: name, Text: text, At: at})
	}
	return list
}

// quoter quotes the line of the shaders at a position with a mark below it, in lines; "" if the
// text is not known. A text is taken apart once for all positions in it that follow each other.
func (v View) quoter() func(at metalrun.Position) string {
	var file string
	var lines []string
	return func(at metalrun.Position) string {
		if lines == nil || at.File != file {
			file, lines = at.File, strings.Split(v.Shaders[at.File].Text, "\n")
		}
		return quoted(lines, at)
	}
}

// quoted is one of some lines with a mark below it.
func quoted(lines []string, at metalrun.Position) string {
	if at.Line < 1 || at.Line > len(lines) || strings.TrimSpace(lines[at.Line-1]) == "" {
		return ""
	}
	line := strings.TrimRight(lines[at.Line-1], " \t\r")
	if len(line) > mostQuoted {
		return ""
	}
	before := line[:min(max(at.Col-1, 0), len(line))]
	under := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	return "\n    " + line + "\n    " + under + "^"
}

// mostQuoted is the length of the longest line that is shown, in bytes.
const mostQuoted = 200

// nothing is the problem of a whole run whose cases were all skipped or waived, although
// every file compiles. A part of a run may have no case at all.
func (v View) nothing() []Problem {
	judged := func(r suite.Result) bool { return r.Status == suite.Pass || tells(r) }
	if v.Change || v.part() || v.Ending == nil || len(v.brokenFiles()) > 0 || slices.ContainsFunc(v.Results, judged) {
		return nil
	}
	why := "it has no case"
	if n := len(v.Results); n > 0 {
		why = fmt.Sprintf("%s, all of them skipped or waived", printable.Count(n, "case"))
	}
	return []Problem{{Kind: ProblemNothing, Name: "the run", Text: "nothing was judged: " + why}}
}

// unknown are the kernels that pass in all their cases only because nothing is known of any element: exact execution
// has to bound them, and cannot.
func (v View) unknown() []Problem {
	if v.part() || v.Ending == nil {
		return nil
	}
	elements, known, reasons := map[string]int{}, map[string]bool{}, map[string]string{}
	var kernels []string
	for _, r := range v.Results {
		if _, seen := elements[r.Kernel]; !seen {
			kernels = append(kernels, r.Kernel)
		}
		elements[r.Kernel] += r.Elements
		known[r.Kernel] = known[r.Kernel] || r.Status != suite.Skip && (r.Status != suite.Pass || r.Open < r.Elements)
		if r.Unjudged != nil && reasons[r.Kernel] == "" {
			reasons[r.Kernel] = r.Unjudged.Reason
		}
	}
	var list []Problem
	for _, k := range kernels {
		if !known[k] && reasons[k] != "" {
			list = append(list, Problem{Kind: ProblemNothing, Name: k,
				Text: fmt.Sprintf("none of its %s was judged: %s", printable.Count(elements[k], "element"),
					reasons[k])})
		}
	}
	return list
}

// undecided are the kernels of whose elements more stay undecided than the policy allows.
func (v View) undecided() []Problem {
	if v.MostUndecided == nil || v.part() || v.Ending == nil {
		return nil
	}
	var list []Problem
	for _, r := range NewTable(v.Results, nil).Rows {
		if share := float64(r.Open) / float64(r.Judged); r.Judged > 0 && share > *v.MostUndecided {
			list = append(list, Problem{Kind: ProblemUndecided, Name: r.Kernel,
				Text: fmt.Sprintf("%.3g %% of its %s are not decided, and undecided = %g in [policy] allows %.3g %%",
					100*share, printable.Count(r.Judged, "element"), *v.MostUndecided, 100**v.MostUndecided)})
		}
	}
	return list
}

// part reports whether other shards of the run are missing.
func (r Run) part() bool { return r.Shard != nil && r.Shard.Of > 1 }

// tells reports whether a result says something of a kernel: it was compared, or failed.
func tells(r suite.Result) bool {
	switch r.Status {
	case suite.Fail, suite.Error, suite.Expected:
		return true
	case suite.Pass, suite.Waived:
		return r.Elements > 0
	}
	return false
}

// told are the kernels and pipelines of which results say something.
func told(results []suite.Result) map[string]bool {
	judged := map[string]bool{}
	for _, r := range results {
		if tells(r) {
			judged[r.Kernel] = true
		}
	}
	return judged
}

// unjudged are the kernels and pipelines that are required, or that the baseline
// judged, and that the run did not. What a file that does not compile takes with it is
// the file's failure alone.
func (v View) unjudged() []Problem {
	if v.Ending == nil {
		return nil // what is still to come
	}
	judged, uncompiled := told(v.Results), map[string]string{}
	for _, r := range v.Results {
		if r.Uncompiled != "" {
			uncompiled[r.Kernel] = r.Uncompiled
		}
	}
	asked := v.Required
	if v.Against != nil {
		for _, name := range v.Against.Lost {
			asked = append(asked[:len(asked):len(asked)], Requirement{Kernel: name, By: byBaseline})
		}
	}
	var list []Problem
	seen := map[string]bool{}
	for _, q := range asked {
		if k, ok := v.find(q.Kernel); ok {
			q.Lack, q.selected = k.Lack, true
		}
		if file := uncompiled[q.Kernel]; file != "" {
			q.Lack = &suite.Lack{Reason: file + " does not compile", Uncompiled: file}
		}
		if seen[q.Kernel] || judged[q.Kernel] || v.excused(q) {
			continue
		}
		seen[q.Kernel] = true
		p := Problem{Kind: ProblemKernel, Name: q.Kernel, Text: v.missing(q)}
		if q.Lack != nil && q.Lack.Uncompiled == "" {
			p.Cure = "if it is meant to be gone, declare that in conform.toml:" + v.absentEntry(q.Kernel)
		}
		list = append(list, p)
	}
	if v.Against != nil && !v.Change { // a gate has them among what regressed
		for _, gone := range v.Against.Vanished {
			list = append(list, Problem{Kind: ProblemKernel, Name: gone.Kernel,
				Text: "no longer judged: " + gone.String()})
		}
	}
	return list
}

// byBaseline is who asks for what the baseline judged.
const byBaseline = "the baseline"

// excused reports whether a kernel that was not judged need not be.
func (v View) excused(q Requirement) bool {
	declared := slices.ContainsFunc(v.Absent, func(a Absence) bool { return slices.Contains(a.Kernels, q.Kernel) })
	switch {
	case q.Lack != nil && q.Lack.Uncompiled != "":
		return !v.knownFile(q.Lack.Uncompiled)
	case declared:
		return true
	case q.selected:
		return v.part() && q.Lack == nil // another shard has its cases
	}
	return (q.Lenient || v.Change) && q.Lack == nil
}

// knownFile reports whether a file that does not compile is no failure, because the
// baseline has it too.
func (v View) knownFile(name string) bool {
	return v.New && !v.Change && v.Against != nil && v.Against.knows(Problem{Kind: ProblemFile, Name: name})
}

// missing says why a kernel was not judged.
func (v View) missing(q Requirement) string {
	text := "not judged, and " + q.By + " asks for it: "
	if q.By == byBaseline {
		text = "not judged, and the baseline judged it: "
	}
	switch {
	case q.Lack != nil && len(q.Lack.Near) > 0:
		return text + q.Lack.Reason + "\nif it was renamed, give it that name again: there is " +
			strings.Join(q.Lack.Near, ", ")
	case q.Lack != nil:
		return text + q.Lack.Reason
	case q.selected:
		return text + "none of its cases was launched and compared"
	case v.Options.Run != "":
		return text + "-run " + v.Options.Run + " leaves it out"
	}
	return text + "the run has no case of it"
}

// absentEntry is a declaration that a kernel is absent, with a reason to be filled in.
func (v View) absentEntry(name string) string {
	from := v.Started
	if from.IsZero() { // results without times
		from = time.Now()
	}
	return fmt.Sprintf("\n\t[[absent]]\n\tkernel = %q\n\treason = \"say why\"\n\texpires = %s", name,
		from.UTC().AddDate(0, 3, 0).Format("2006-01-02"))
}

// find is what is known of a kernel or pipeline; ok is false if the run has no case of
// it.
func (r Run) find(name string) (k Kernel, ok bool) {
	i := slices.IndexFunc(r.Kernels, func(k Kernel) bool { return k.Name == name })
	if i < 0 {
		return Kernel{}, false
	}
	return r.Kernels[i], true
}

// regressed are what a change has made worse that fails by no verdict of its own, and is not among what was not judged.
func (v View) regressed(unjudged []Problem) []Problem {
	if !v.Change || v.Against == nil {
		return nil
	}
	kernels := map[string]string{} // of cases
	for _, r := range v.Results {
		kernels[r.Case] = r.Kernel
	}
	uncompiled := map[string]bool{} // whose files are problems
	for _, r := range v.Results {
		uncompiled[r.Kernel] = uncompiled[r.Kernel] || r.Uncompiled != ""
	}
	var list []Problem
	for _, r := range v.Against.Regressions() {
		if r.Aspect == Verdicts && (r.Why == "" || uncompiled[r.Name] ||
			slices.ContainsFunc(unjudged, func(p Problem) bool { return p.Name == r.Name })) {
			continue
		}
		kernel := r.Name
		if of, ok := kernels[r.Name]; ok {
			kernel = of
		}
		p := Problem{Kind: ProblemRegression, Name: r.Name, Text: regressions[r.Aspect] + ": " + r.Changes()}
		if r.Aspect == Verdicts {
			p.Text = r.Why
		}
		if at, ok := v.Blame[kernel]; ok {
			at.File = v.path(at.File)
			p.At = at
			p.Text += fmt.Sprintf("\nchanged at %s:%d", at.File, at.Line)
		}
		list = append(list, p)
	}
	return list
}

// regressions say what has become worse.
var regressions = map[Aspect]string{Accuracy: "less accurate", Speed: "slower", Counted: "slower by counted work",
	Expected: "slower by forecast"}

// outdated are the declarations that are out of date.
func (v View) outdated() []Problem {
	var list []Problem
	for _, o := range v.Stale() {
		at := metalrun.Position{File: o.Position.File, Line: o.Position.Line}
		list = append(list, Problem{Kind: ProblemDeclaration, Name: cmp.Or(o.Position.String(), "declaration"),
			Text: o.Text, At: at})
	}
	return list
}

// flaws say what the files of results lack, and what is missing of a run that did not
// end.
func (r Run) flaws() []string {
	var list []string
	for _, f := range r.Flaws {
		text := f.Error()
		if f.File != "" {
			text = "left out: " + text
		}
		list = append(list, text)
	}
	if n := r.shard().Cases; len(list) == 0 && !r.Complete() {
		list = append(list, fmt.Sprintf("only %d of %s were judged", len(r.Results), printable.Count(n, "case")))
	}
	return list
}

// String is the problem in a sentence, with what supports it below.
func (p Problem) String() string {
	return fmt.Sprintf("%s: %s", p.Name, strings.ReplaceAll(p.Text, "\n", "\n\t"))
}

// Whole is the same with what can be done.
func (p Problem) Whole() string {
	if p.Cure == "" {
		return p.String()
	}
	return p.String() + strings.ReplaceAll("\n"+p.Cure, "\n", "\n\t")
}

// identity is what makes a problem the same in two runs: lines of declarations move.
func (p Problem) identity() string {
	name := p.Name
	if p.Kind == ProblemDeclaration {
		name = p.At.File + " " + p.Text
	}
	return fmt.Sprintf("%s %s", p.Kind, name)
}
