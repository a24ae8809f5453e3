package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metalconform/internal/checkout"
	"metalconform/oracles"
	"metalconform/suite"

	"github.com/pelletier/go-toml/v2"
)

// reader turns the tables of a file into declarations and collects what
// is wrong with them.
type reader struct {
	checkout *checkout.Checkout // that has the file
	file     string
	lines    lines
	today    time.Time
	kernels  map[string]suite.Kernel
	cases    func(suite.Set) []suite.Case
	declared []string // kernels that have a contract
	built    []string // names of variants of files
	choices  int      // of regular expressions
	names    []string // of kernels, once they are asked for
	mistakes []mistake
}

// mostMistakes are as many as anybody mends before trying again.
const mostMistakes = 20

// mistake is what is wrong in a line.
type mistake struct {
	line int
	text string
}

// err is every mistake, in the order of lines.
func (r *reader) err() error {
	slices.SortStableFunc(r.mistakes, func(a, b mistake) int { return cmp.Compare(a.line, b.line) })
	var all []error
	for i, m := range r.mistakes {
		if i == mostMistakes {
			all = append(all, fmt.Errorf("%s:%d: %d mistakes more", r.file, m.line, len(r.mistakes)-i))
			break
		}
		all = append(all, fmt.Errorf("%s:%d: %s", r.file, m.line, m.text))
	}
	return errors.Join(all...)
}

// table is one table of the file.
type table struct {
	*reader
	name string // in lines
}

// at is table i of those called name.
func (r *reader) at(name string, i int) table {
	return table{r, fmt.Sprintf("%s[%d]", name, i)}
}

// wrong notes a mistake at a key, or at the table where it lacks the key.
func (t table) wrong(key, format string, args ...any) {
	line, ok := t.lines[t.name+"."+key]
	if !ok {
		line = t.lines[t.name]
	}
	t.mistakes = append(t.mistakes, mistake{line, fmt.Sprintf(format, args...)})
}

// entry is what all tables have.
func (t table) entry(e entry) suite.Entry {
	out := suite.Entry{Position: suite.Position{File: t.file, Line: t.lines[t.name]},
		Reason: strings.TrimSpace(e.Reason)}
	if out.Reason == "" {
		t.wrong("reason", "no reason: say why, in a sentence for whoever finds this")
	}
	if e.Expires == nil {
		t.wrong("expires", "no day on which it expires, such as expires = %s",
			t.today.AddDate(0, 3, 0).Format(time.DateOnly))
		return out
	}
	out.Expires = midnight(*e.Expires)
	if latest := t.today.AddDate(1, 0, 0); out.Expires.After(latest) {
		t.wrong("expires", "expires on %s, more than a year ahead: %s at the latest", e.Expires,
			latest.Format(time.DateOnly))
	}
	return out
}

// midnight is the start of a day, in UTC.
func midnight(d toml.LocalDate) time.Time { return d.AsTime(time.UTC) }

// contract is the kernel's own contract with what the table says in it.
func (t table) contract(e contractEntry) suite.DeclaredContract {
	d := suite.DeclaredContract{Entry: t.entry(e.entry), Kernel: e.Kernel}
	k, ok := t.kernels[e.Kernel]
	switch {
	case !ok:
		t.wrong("kernel", "no kernel is called %q%s", e.Kernel,
			DidYouMean(e.Kernel, slices.Collect(maps.Keys(t.kernels))))
		return d
	case slices.Contains(t.declared, e.Kernel):
		t.wrong("kernel", "%s has a contract already: declare all of it in one place", e.Kernel)
	case len(e.settings()) == 0:
		t.wrong("kernel", "declares nothing: want sums, forms, functions, accumulators, intermediates or subnormals")
	}
	t.declared = append(t.declared, e.Kernel)
	d.Own, d.Contract = k.Contract, k.Contract
	for _, setting := range e.settings() {
		key := setting.Key
		if setting.Name != "" {
			key += "." + setting.Name
		}
		c, err := d.Contract.With(setting)
		if err != nil {
			t.wrong(key, "%s: %v", k.Name, err)
			continue
		}
		d.Contract = c
	}
	return d
}

// settings are what the table says of a contract. An oracle looks up the names of sums
// that it knows, so that another name would go unnoticed: [oracles.Contract.With]
// refuses it.
func (e contractEntry) settings() []oracles.Setting {
	var list []oracles.Setting
	named := func(key string, values map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			list = append(list, oracles.Setting{Key: key, Name: name, Value: values[name]})
		}
	}
	named("sums", e.Sums)
	named("forms", e.Forms)
	for _, s := range []oracles.Setting{
		{Key: "functions", Value: e.Functions}, {Key: "accumulators", Value: e.Accumulators},
		{Key: "intermediates", Value: e.Intermediates}, {Key: "subnormals", Value: e.Subnormals},
	} {
		if s.Value != "" {
			list = append(list, s)
		}
	}
	return list
}

// table is the constant of the program that stands for a table of the catalogue.
func (t table) table(e tableEntry, before []suite.DeclaredTable) suite.DeclaredTable {
	d := suite.DeclaredTable{Entry: t.entry(e.entry), Name: e.Name, Constant: cmp.Or(e.Constant, e.Name)}
	tables := t.tables()
	holders := tables[e.Name]
	if len(holders) == 0 {
		all := slices.Sorted(maps.Keys(tables))
		t.wrong("name", "no kernel has a table %q: there is %s%s", e.Name, strings.Join(all, ", "),
			DidYouMean(e.Name, all))
		return d
	}
	if e.Kernel != "" {
		var ok bool
		if d.Kernels, ok = t.pattern("kernel", e.Kernel); !ok {
			return d
		}
	}
	if !slices.ContainsFunc(holders, d.About) {
		t.wrong("kernel", "no kernel with a table %s has a name like %q (the whole of it has to match): it is in %s",
			e.Name, e.Kernel, strings.Join(holders, ", "))
	}
	for _, b := range before {
		if i := slices.IndexFunc(holders, func(k string) bool {
			return b.Name == d.Name && b.About(k) &&
				d.About(k)
		}); i >= 0 {
			t.wrong("name", "%s of %s is declared already, at %s", d.Name, holders[i], b.Position)
		}
	}
	return d
}

// tables are the tables of the catalogue by name, each with the kernels that have it.
func (r *reader) tables() map[string][]string {
	holders := map[string][]string{}
	for _, c := range r.cases(suite.Quick) {
		for _, table := range c.Tables() {
			if list := holders[table.Name]; !slices.Contains(list, c.Kernel.Name) {
				holders[table.Name] = append(list, c.Kernel.Name)
			}
		}
	}
	return holders
}

// required are the kernels and pipelines that have to be judged: those whose names the
// value of require matches, which is a regular expression or a list of them.
func (r *reader) required(value any) []suite.Requirement {
	t := table{reader: r}
	list, ok := value.([]any)
	if value != nil && !ok {
		list = []any{value}
	}
	names := r.kernelNames()
	var all []suite.Requirement
	for _, x := range list {
		text, ok := x.(string)
		if !ok {
			t.wrong("require", "want a regular expression for names of kernels, or a list of them, and not %v", x)
			continue
		}
		if text == "all" {
			text = ".*"
		}
		if p, ok := t.kernelPattern("require", text, names); ok {
			all = append(all, suite.Requirement{Position: suite.Position{File: t.file, Line: t.lines[".require"]},
				Kernels: p})
		}
	}
	return all
}

// kernelPattern is a pattern for names of kernels and pipelines, of which it has to match one.
func (t table) kernelPattern(key, text string, names []string) (suite.Pattern, bool) {
	p, ok := t.pattern(key, text)
	if ok && !slices.ContainsFunc(names, p.MatchString) {
		t.wrong(key, "no kernel or pipeline has a name like %q (the whole of it has to match)%s", text,
			DidYouMean(text, names))
		return p, false
	}
	return p, ok
}

// kernelNames are those of the kernels and pipelines that there are.
func (r *reader) kernelNames() []string {
	if r.names == nil {
		_, r.names = suite.Firsts(r.cases(suite.Quick))
	}
	return r.names
}

// absence are kernels that the shaders lack.
func (t table) absence(e absentEntry) suite.Absence {
	a := suite.Absence{Entry: t.entry(e.entry)}
	a.Kernels, _ = t.kernelPattern("kernel", e.Kernel, t.kernelNames())
	return a
}

// exclusion are files that are not compiled.
func (t table) exclusion(e excludeEntry) suite.Exclusion {
	x := suite.Exclusion{Entry: t.entry(e.entry)}
	if e.File == "" {
		t.wrong("file", "no file: give its name in the directory, or a regular expression that the whole name matches")
		return x
	}
	x.Files, _ = t.pattern("file", e.File)
	return x
}

// expectation is the known failure of the cases that match.
func (t table) expectation(e expectEntry) suite.Expectation {
	x := suite.Expectation{Entry: t.entry(e.entry), Check: suite.Check(e.Check)}
	x.Scope, _ = t.scope(e.scopeEntry)
	if !slices.Contains(suite.Checks(), x.Check) {
		t.wrong("check", "no check is called %q: want one of %s", e.Check,
			strings.Trim(fmt.Sprint(suite.Checks()), "[]"))
	}
	return x
}

// casesOf are the cases of the catalogue in a scope, or if there are none those that are in it under the
// name of a variant of some file.
func (t table) casesOf(s suite.Scope) []suite.Case {
	all := t.cases(suite.Full)
	about := s.Of(all)
	for _, v := range t.built {
		if len(about) > 0 {
			break
		}
		varied := slices.Clone(all)
		for i := range varied {
			varied[i].Name += "/" + v
		}
		about = s.Of(varied)
	}
	return about
}

// scope is what a table is about, and the cases of the catalogue in it. A pipeline's
// stages are known only when it runs: a stage that does not exist shows as an entry
// that is not needed.
func (t table) scope(e scopeEntry) (s suite.Scope, about []suite.Case) {
	if e.Case == "" {
		t.wrong("case", "no case: give its name, or a regular expression that the whole name matches")
		return s, nil
	}
	var ok bool
	if s.Cases, ok = t.pattern("case", e.Case); !ok {
		return s, nil
	}
	if about = t.casesOf(s); len(about) == 0 {
		t.wrong("case", "no case of either sweep has a name like %q (the whole of it has to match)%s", e.Case,
			DidYouMean(e.Case, CaseNames(t.cases(suite.Full))))
		return s, nil
	}
	if e.Stage == "" {
		return s, about
	}
	if s.Stage, ok = t.pattern("stage", e.Stage); !ok {
		return s, nil
	}
	if about = t.casesOf(s); len(about) == 0 {
		t.wrong("stage", "stages are those of pipelines, and no case with such a name is one")
	}
	return s, about
}

// pattern is what whole names have to match.
func (t table) pattern(key, text string) (p suite.Pattern, ok bool) {
	p, err := suite.NewPattern(text)
	if t.choices > mostPatterns {
		return p, false // as has been said
	}
	if err == nil {
		if t.choices += p.Size; t.choices > mostPatterns {
			err = fmt.Errorf("the regular expressions of the file have more than %d choices, repetitions spelt out",
				mostPatterns)
		}
	}
	if err != nil {
		t.wrong(key, "%v", err)
	}
	return p, err == nil
}

// mostPatterns bounds the regular expressions of a file, each of which meets the names of all cases.
const mostPatterns = 500

// accuracies are those that conform device intrinsics has left in a file, of a GPU that no entry
// before is about.
func (t table) accuracies(e accuraciesEntry, before []suite.DeclaredAccuracies) suite.DeclaredAccuracies {
	d := suite.DeclaredAccuracies{Entry: t.entry(e.entry), Measured: &oracles.Measured{}}
	var a Accuracies
	if filepath.Ext(e.File) != AccuraciesExtension {
		t.wrong("file", "want the name of a file that ends in %s", AccuraciesExtension)
		return d
	}
	_, file, err := besideFile(t.checkout, t.file, e.File)
	if err == nil {
		err = a.Set(file)
	}
	if err != nil {
		t.wrong("file", "%v", err)
		return d
	}
	d.Measured = a.Measured()
	if i := slices.IndexFunc(before, func(b suite.DeclaredAccuracies) bool { return b.Device == d.Device }); i >= 0 {
		t.wrong("file", "the functions of %s are declared already, at %s", d.Device, before[i].Position)
	}
	return d
}

// CaseNames are the names of cases.
func CaseNames(cases []suite.Case) []string {
	var list []string
	for _, c := range cases {
		list = append(list, c.Name)
	}
	return list
}

// waiver is how far the cases that match may exceed their bounds.
func (t table) waiver(e waiveEntry) suite.Waiver {
	w := suite.Waiver{Entry: t.entry(e.entry), Output: e.Output, Element: e.Element, Skip: e.Skip}
	var about []suite.Case
	w.Scope, about = t.scope(e.scopeEntry)
	switch {
	case e.Skip == (e.Factor != nil):
		t.wrong("factor", "want either factor, how often the bound an error may be, or skip = true")
	case e.Skip && (e.Stage != "" || e.Output != "" || e.Element != nil):
		t.wrong("skip", "skip leaves out the whole case: it takes no stage, output or element")
	case e.Factor != nil && !(*e.Factor > 1 && *e.Factor <= math.MaxFloat64):
		t.wrong("factor", "a factor of %g waives nothing, or everything: want more than 1", *e.Factor)
	case e.Factor != nil:
		w.Factor = *e.Factor
	}
	t.output(e, about)
	return w
}

// output checks that what a waiver names can exceed a bound. What the stages of a
// pipeline write is known when they run.
func (t table) output(e waiveEntry, about []suite.Case) {
	if len(about) == 0 {
		return
	}
	if e.Output == "" {
		if e.Element != nil {
			t.wrong("element", "an element of which output?")
		}
		return
	}
	var outputs []string
	for _, c := range about {
		if c.Pipeline != nil {
			return
		}
		for _, a := range c.Kernel.Args {
			switch {
			case !a.Writable():
			case a.Name != e.Output:
				outputs = append(outputs, a.Name)
			case e.Element == nil || len(e.Element) == len(a.Extents):
				return
			default:
				t.wrong("element", "%s has %d indices, not %d", a.Name, len(a.Extents), len(e.Element))
				return
			}
		}
	}
	slices.Sort(outputs)
	t.wrong("output", "no output is called %q: there is %s", e.Output, strings.Join(slices.Compact(outputs), ", "))
}
