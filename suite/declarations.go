package suite

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"metalconform/oracles"
)

// Declarations are what the authors of kernels state about them beside their
// source: contracts and tables in place of the catalogue's, failures that they know of,
// and errors over the bound that they put up with. nil declares nothing.
//
// They are exceptions, and kept few: each has a reason and a last day, and one
// that no longer changes anything is reported by [Declarations.Unneeded].
type Declarations struct {
	Strict       bool // as [Options] has it
	Contracts    []DeclaredContract
	Tables       []DeclaredTable
	Expectations []Expectation
	Waivers      []Waiver
	Absences     []Absence
	Exclusions   []Exclusion
	Accuracies   []DeclaredAccuracies
	Compilations []Compilation // how files are built, which is no exception
	// Required is no exception but the reverse: which kernels have to be judged.
	Required []Requirement
	// Lenient says that they were declared of other sources than those that are judged: an expectation that does not
	// hold any more fails nothing.
	Lenient bool
	// MostUndecided is the share of a kernel's elements that may stay undecided; nil: any.
	MostUndecided *float64
}

// Entry is what all declarations have in common.
type Entry struct {
	Position Position  `json:"position"`
	Reason   string    `json:"reason"`  // why it is there, for a reader
	Expires  time.Time `json:"expires"` // the last day that it counts, as midnight UTC
}

// expired reports whether the entry no longer counts on a day.
func (e Entry) expired(today time.Time) bool { return today.After(e.Expires) }

// because is the entry for a reader who comes across what it did.
func (e Entry) because() string {
	return fmt.Sprintf("%s, until %s: %s", e.Position, e.Expires.Format(time.DateOnly), e.Reason)
}

// Pattern matches whole names, such as those of cases.
type Pattern struct {
	*regexp.Regexp
	Text string // as it was written
	Size int    // in choices, each of which may be open at each character of a name
}

// maxPattern is more choices than a pattern has that names some hundred cases one by one.
const maxPattern = 4096

// NewPattern compiles a regular expression that the whole of a name has to
// match; the name of a case is one that matches itself.
func NewPattern(text string) (Pattern, error) {
	if _, err := CompilePattern(text); err != nil {
		return Pattern{}, err // without what is put round it here
	}
	p, err := CompilePattern("^(?:" + text + ")$")
	p.Text = text
	return p, err
}

// CompilePattern compiles a regular expression that may match a part of a name. One whose repetitions make
// it large is refused: thousands of names are held against it.
func CompilePattern(text string) (Pattern, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return Pattern{}, err
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return Pattern{}, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return Pattern{}, err
	}
	choices := 0
	for _, i := range program.Inst {
		if i.Op == syntax.InstAlt || i.Op == syntax.InstAltMatch {
			choices++
		}
	}
	if choices > maxPattern {
		return Pattern{}, fmt.Errorf("a regular expression of %d choices, repetitions spelt out, want at most %d",
			choices, maxPattern)
	}
	return Pattern{re, text, choices}, nil
}

// Scope is what an expectation or a waiver is about.
type Scope struct {
	Cases Pattern
	// Stage is about the names that failures of a pipeline have: of its stages, such
	// as "stage 3, rms_norm_qk", and of the invariants between its buffers. The zero
	// Pattern takes them all, and kernels too.
	Stage Pattern
}

// about reports whether a case is in the scope.
func (s Scope) about(c Case) bool {
	return s.Cases.MatchString(c.Name) && (s.Stage.Regexp == nil || c.Pipeline != nil)
}

// holds reports whether a failure of such a case is.
func (s Scope) holds(f Failure) bool { return s.Stage.Regexp == nil || s.Stage.MatchString(f.Stage) }

// Of are the cases in the scope.
func (s Scope) Of(cases []Case) []Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return !s.about(c) })
}

// DeclaredContract is a contract that stands in place of the catalogue's for
// one kernel, wherever it is launched.
type DeclaredContract struct {
	Entry
	Kernel   string
	Own      oracles.Contract // the catalogue's
	Contract oracles.Contract
}

// JudgedContract is a declared contract that a case was judged by.
type JudgedContract struct {
	Position Position `json:"position"`
	Kernel   string   `json:"kernel"`
	Contract string   `json:"contract"` // in words
}

func (c JudgedContract) String() string {
	return fmt.Sprintf("%s: %s: %s", c.Position, c.Kernel, c.Contract)
}

// DeclaredAccuracies are how accurate the functions of a GPU are.
type DeclaredAccuracies struct {
	Entry
	*oracles.Measured
}

// Measured are the accuracies that are declared of a device; nil if none are.
func (d *Declarations) Measured(device string) *oracles.Measured {
	if d == nil {
		return nil
	}
	for _, a := range d.Accuracies {
		if a.Device == device {
			return a.Measured
		}
	}
	return nil
}

// idle reports whether the contract is the kernel's own.
func (d DeclaredContract) idle() bool { return d.Own.String() == d.Contract.String() }

// On are the declarations that count on a day. The others are
// returned: an entry that has expired is to be renewed or removed, whether or
// not it would change anything.
func (d *Declarations) On(today time.Time) (counting *Declarations, expired []Outdated) {
	if d == nil {
		return nil, nil
	}
	counts := func(e Entry) bool {
		if e.expired(today) {
			expired = append(expired, Outdated{e.Position,
				fmt.Sprintf("expired, its last day was %s: %s", e.Expires.Format(time.DateOnly), e.Reason)})
		}
		return !e.expired(today)
	}
	counting = &Declarations{Required: d.Required, Strict: d.Strict, Compilations: d.Compilations,
		MostUndecided: d.MostUndecided}
	for _, c := range d.Contracts {
		if counts(c.Entry) {
			counting.Contracts = append(counting.Contracts, c)
		}
	}
	for _, t := range d.Tables {
		if counts(t.Entry) {
			counting.Tables = append(counting.Tables, t)
		}
	}
	for _, x := range d.Expectations {
		if counts(x.Entry) {
			counting.Expectations = append(counting.Expectations, x)
		}
	}
	for _, w := range d.Waivers {
		if counts(w.Entry) {
			counting.Waivers = append(counting.Waivers, w)
		}
	}
	for _, a := range d.Absences {
		if counts(a.Entry) {
			counting.Absences = append(counting.Absences, a)
		}
	}
	for _, x := range d.Exclusions {
		if counts(x.Entry) {
			counting.Exclusions = append(counting.Exclusions, x)
		}
	}
	for _, a := range d.Accuracies {
		if counts(a.Entry) {
			counting.Accuracies = append(counting.Accuracies, a)
		}
	}
	return counting, expired
}

// Families are the catalogue's with the declared contracts in it.
func (d *Declarations) Families(all []Family) []Family {
	if d == nil || len(d.Contracts) == 0 {
		return all
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].Kernels = slices.Clone(all[i].Kernels)
		for j := range all[i].Kernels {
			k := &all[i].Kernels[j]
			if c, ok := d.contract(k.Name); ok {
				k.Contract = c.Contract
			}
		}
	}
	return all
}

// contract is the declared contract of a kernel.
func (d *Declarations) contract(kernel string) (DeclaredContract, bool) {
	i := slices.IndexFunc(d.Contracts, func(c DeclaredContract) bool { return c.Kernel == kernel })
	if i < 0 {
		return DeclaredContract{}, false
	}
	return d.Contracts[i], true
}

// Apply does to the verdict on a case what is declared.
func (d *Declarations) Apply(c Case, r *Result) {
	if d == nil {
		return
	}
	if _, ok := d.skips(c); ok {
		return
	}
	for _, name := range c.Kernels() {
		if k, ok := d.contract(name); ok {
			r.Contracts = append(r.Contracts, JudgedContract{k.Position, name, k.Contract.String()})
			r.Notes = append(r.Notes, fmt.Sprintf("contract of %s: %s (%s)", name, k.Contract, k.because()))
		}
	}
	if a, ok := d.absence(c); ok && r.Status == Skip {
		r.recordUse(a.Entry, "absent, as is declared")
	}
	d.waive(c, r)
	d.expect(c, r)
}

// recordUse notes that the verdict rests on an entry, once.
func (r *Result) recordUse(e Entry, what string) {
	if slices.Contains(r.Declared, e.Position) {
		return
	}
	r.Declared = append(r.Declared, e.Position)
	r.Notes = append(r.Notes, fmt.Sprintf("%s (%s)", what, e.because()))
}

// Unneeded are the entries that no longer change anything, after a
// run with these results. An entry is only judged if the run had every case of
// the catalogue that it may be about: one that part of a sweep does not need may
// be needed by the rest.
func (d *Declarations) Unneeded(catalogue func(Set) []Case, results []Result) []Outdated {
	if d == nil {
		return nil
	}
	byName := map[string]Result{}
	rested := map[Position]bool{}
	for _, r := range results {
		byName[r.Case] = r
		for _, position := range r.Declared {
			rested[position] = true
		}
	}
	var list []Outdated
	audit := func(e Entry, about func([]Case) []Case, changed bool, idle string) {
		whole, judged := seen(about(catalogue(Quick)), byName)
		if whole {
			whole, judged = seen(about(catalogue(Full)), byName)
		}
		switch {
		case !whole:
		case !judged:
			list = append(list, Outdated{e.Position, "the shaders have no kernel that this is about"})
		case !changed:
			list = append(list, Outdated{e.Position, "no longer needed: " + idle})
		}
	}
	for _, c := range d.Contracts {
		audit(c.Entry, c.of, !c.idle(), "it is the contract that the catalogue has for "+c.Kernel)
	}
	for _, t := range d.Tables {
		audit(t.Entry, t.of, rested[t.Position], "the program holds the numbers that the catalogue has for "+t.Name)
	}
	for _, x := range d.Expectations {
		audit(x.Entry, x.Of, true, "") // a case that passes in spite of it fails
	}
	for _, w := range d.Waivers {
		audit(w.Entry, w.Of, rested[w.Position], "every case that it is about passes without it")
	}
	return list
}

// of are the cases that launch the kernel.
func (c DeclaredContract) of(cases []Case) []Case {
	return slices.DeleteFunc(slices.Clone(cases), func(x Case) bool { return !slices.Contains(x.Kernels(), c.Kernel) })
}

// seen reports whether all cases have results, and whether any was more than
// skipped. Of a file that does not compile nothing is known.
func seen(cases []Case, results map[string]Result) (whole, judged bool) {
	whole = true
	for _, c := range cases {
		r, ok := results[c.Name]
		whole = whole && ok && r.Uncompiled == ""
		judged = judged || ok && r.Status != Skip
	}
	return whole, judged
}

// Position is a line of a file with declarations; as text, file:line.
type Position struct {
	File string
	Line int // from 1; 0 of a text that names none
}

func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// MarshalText and UnmarshalText write a position as file:line.
func (p Position) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

func (p *Position) UnmarshalText(text []byte) error {
	*p = Position{File: string(text)}
	if colon := strings.LastIndexByte(p.File, ':'); colon >= 0 {
		if line, err := strconv.Atoi(p.File[colon+1:]); err == nil && line > 0 {
			*p = Position{p.File[:colon], line}
		}
	}
	return nil
}

// Outdated is a declaration that has expired, is not true, or no longer changes anything.
type Outdated struct {
	Position Position `json:"position"` // none if there is no file
	Text     string   `json:"text"`     // why
}

func (o Outdated) String() string {
	if o.Position == (Position{}) {
		return o.Text
	}
	return fmt.Sprintf("%s: %s", o.Position, o.Text)
}
