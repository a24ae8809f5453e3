package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"metalconform/internal/checkout"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/suite"

	"github.com/pelletier/go-toml/v2"
)

// Name is the file of declarations beside the shaders of a directory.
const Name = "conform.toml"

// file is such a file as it is written.
type file struct {
	Specifications []string `toml:"specifications"` // files in Starlark; patterns
	Packs          []string `toml:"packs"`          // by their names
	Math           []string `toml:"math"`           // modes in which every kernel is judged

	Strict   bool            `toml:"strict"`  // what only warns of its kernels fails
	Require  any             `toml:"require"` // a regular expression for names of kernels, or several
	Policy   *policyEntry    `toml:"policy"`  // of conform compare
	Contract []contractEntry `toml:"contract"`
	Table    []tableEntry    `toml:"table"`
	Absent   []absentEntry   `toml:"absent"`
	Exclude  []excludeEntry  `toml:"exclude"`
	Compile  []compileEntry  `toml:"compile"`
	Expect   []expectEntry   `toml:"expect"`
	Waive    []waiveEntry    `toml:"waive"`

	Accuracies []accuraciesEntry `toml:"accuracies"`
}

// entry is what every table of the file must have.
type entry struct {
	Reason  string          `toml:"reason"`
	Expires *toml.LocalDate `toml:"expires"`
}

// scopeEntry says which cases a table is about, and which stages and invariants of
// pipelines.
type scopeEntry struct {
	Case  string `toml:"case"`
	Stage string `toml:"stage"`
}

// contractEntry declares what a kernel promises where it is not what the
// catalogue says.
type contractEntry struct {
	entry
	Kernel     string            `toml:"kernel"`
	Sums       map[string]string `toml:"sums"`       // order by the name of the sum
	Forms      map[string]string `toml:"forms"`      // form by the name of the operation
	Functions  string            `toml:"functions"`  // precise or fast
	Subnormals string            `toml:"subnormals"` // kept or flushed

	Accumulators  string `toml:"accumulators"`  // f32, f16 or bf16
	Intermediates string `toml:"intermediates"` // the same
}

// tableEntry declares that a table of the program counts in place of the catalogue's.
type tableEntry struct {
	entry
	Name     string `toml:"name"`     // in the catalogue
	Constant string `toml:"constant"` // in the program; the same if empty
	Kernel   string `toml:"kernel"`   // that goes by it; each that has such a table if empty
}

// absentEntry declares that the shaders lack kernels.
type absentEntry struct {
	entry
	Kernel string `toml:"kernel"` // a regular expression for the names of kernels and pipelines
}

// excludeEntry declares that files are not to be compiled.
type excludeEntry struct {
	entry
	File string `toml:"file"` // a regular expression for their names in the directory
}

// accuraciesEntry declares how accurate the functions of a GPU are.
type accuraciesEntry struct {
	entry
	File string `toml:"file"` // of conform device intrinsics, beside this one
}

// compileEntry says how files are compiled, which is no exception and never expires.
type compileEntry struct {
	File      string            `toml:"file"`            // a regular expression for their names in the directory
	Std       string            `toml:"std"`             // the language version
	Math      string            `toml:"math"`            // the mode of floating-point mathematics
	Include   []string          `toml:"include"`         // directories in the directory
	Define    []string          `toml:"define"`          // NAME, NAME=VALUE or NAME(X)=VALUE
	Undefine  []string          `toml:"undefine"`        // after these
	Prelude   []string          `toml:"prelude"`         // files that go ahead
	Constants map[string]any    `toml:"constants"`       // of functions, by name
	Matrix    map[string][]any  `toml:"matrix"`          // values of macros: each combination is a variant
	Cases     map[string][]any  `toml:"constant_matrix"` // of function constants
	Instances map[string]string `toml:"instances"`       // instances of kernel templates, by host name
}

// expectEntry declares that cases fail a check.
type expectEntry struct {
	entry
	scopeEntry
	Check string `toml:"check"`
}

// waiveEntry declares how far cases may exceed their bounds, or that they are not
// to be judged.
type waiveEntry struct {
	entry
	scopeEntry
	Output  string   `toml:"output"`
	Element []int    `toml:"element"`
	Factor  *float64 `toml:"factor"`
	Skip    bool     `toml:"skip"`
}

// Date is a flag that holds a date, the clock's if not given.
type Date struct{ time.Time }

func (d *Date) String() string {
	if d.IsZero() {
		return ""
	}
	return d.Format(time.DateOnly)
}
func (d *Date) Type() string { return "date" }
func (d *Date) Set(s string) error {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return errors.New("want a date such as 2027-03-01")
	}
	d.Time = t
	return nil
}

// Midnight is the day as midnight UTC.
func (d Date) Midnight() time.Time {
	if d.IsZero() {
		d.Time = time.Now()
	}
	return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)
}

// ReadDeclarations reads the declarations in file or, without one, those beside the
// shaders of dir, if any, about the cases of a catalogue.
func ReadDeclarations(at *checkout.Checkout, file, dir string, today time.Time,
	cases func(suite.Set) []suite.Case) (*suite.Declarations, error) {
	file, text, err := Read(at, file, dir)
	if err != nil || file == "" {
		return nil, err
	}
	d, err := Parse(at, file, text, today, cases)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	return d, nil
}

// Read is the text of a file of declarations, or of the one of a directory, if there is any.
// What a directory names lies in it.
func Read(at *checkout.Checkout, file, dir string) (name string, text []byte, err error) {
	if file == "" && dir != "" {
		beside := filepath.Join(dir, Name)
		real, err := at.Path(beside)
		if err == nil {
			if _, missing := os.Lstat(real); missing != nil {
				return "", nil, nil
			}
			file, _, err = besideFile(at, beside, Name)
		}
		if err != nil {
			return "", nil, exit.Usagef("%w (-config names one elsewhere)", err)
		}
	}
	if file == "" {
		return "", nil, nil
	}
	real, err := at.Path(file)
	if err == nil {
		text, err = regular.Read(real, regular.Config)
	}
	if err != nil {
		return "", nil, exit.Usagef("-config: %w", err)
	}
	return file, text, nil
}

// besideFile is a file in the directory of another, which no link leads out of, and where it is read.
func besideFile(at *checkout.Checkout, file, name string) (beside, real string, err error) {
	if !filepath.IsLocal(name) {
		return "", "", fmt.Errorf("%s does not lie beside %s", name, file)
	}
	dir := filepath.Dir(file)
	beside = filepath.Join(dir, name)
	if dir, err = at.Path(dir); err != nil {
		return "", "", err
	}
	real = filepath.Join(dir, name)
	switch inside, err := regular.NewTrees(dir).Has(real); {
	case err != nil:
		return "", "", err
	case !inside:
		return "", "", fmt.Errorf("%s: a link out of its directory", beside)
	}
	return beside, real, nil
}

// Parse reads a file of declarations about the cases of a catalogue, and what it names, from a state of the
// repository. Its error names every mistake, a line each that begins with file:line.
func Parse(at *checkout.Checkout, file string, text []byte, today time.Time,
	cases func(suite.Set) []suite.Case) (*suite.Declarations, error) {
	c, err := decode(file, text)
	if err != nil {
		return nil, err
	}
	r := &reader{checkout: at, file: file, lines: linesOf(text), today: today, kernels: map[string]suite.Kernel{},
		cases: cases}
	for _, c := range cases(suite.Quick) {
		if c.Pipeline == nil {
			r.kernels[c.Kernel.Name] = *c.Kernel
		}
	}
	d := &suite.Declarations{Required: r.required(c.Require), Strict: c.Strict}
	if c.Policy != nil {
		if _, err := c.Policy.policy(file, r.lines); err != nil {
			return nil, err
		}
		d.MostUndecided = c.Policy.Undecided
	}
	for i, e := range c.Contract {
		d.Contracts = append(d.Contracts, r.at("contract", i).contract(e))
	}
	for i, e := range c.Table {
		d.Tables = append(d.Tables, r.at("table", i).table(e, d.Tables))
	}
	for i, e := range c.Absent {
		d.Absences = append(d.Absences, r.at("absent", i).absence(e))
	}
	for i, e := range c.Exclude {
		d.Exclusions = append(d.Exclusions, r.at("exclude", i).exclusion(e))
	}
	for i, e := range c.Compile {
		d.Compilations = append(d.Compilations, r.at("compile", i).compilation(e))
		for _, v := range d.Compilations[i].Variants {
			r.built = append(r.built, v.Name)
		}
	}
	for i, e := range c.Expect {
		d.Expectations = append(d.Expectations, r.at("expect", i).expectation(e))
	}
	for i, e := range c.Waive {
		d.Waivers = append(d.Waivers, r.at("waive", i).waiver(e))
	}
	for i, e := range c.Accuracies {
		d.Accuracies = append(d.Accuracies, r.at("accuracies", i).accuracies(e, d.Accuracies))
	}
	return d, r.err()
}

// mostLines is how many lines a file may have: what is said of each unknown key goes through all of them.
const mostLines = 1 << 13

// decode is the file's syntax and types, unknown keys refused.
func decode(file string, text []byte) (c file, err error) {
	if n := bytes.Count(text, []byte("\n")); n > mostLines {
		return c, fmt.Errorf("%s: %d lines, want at most %d", file, n, mostLines)
	}
	decoder := toml.NewDecoder(strings.NewReader(string(text))).DisallowUnknownFields()
	err = decoder.Decode(&c)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		var all []error
		for i, e := range unknown.Errors {
			if i == mostMistakes {
				all = append(all, fmt.Errorf("%s: %d unknown keys more", file, len(unknown.Errors)-i))
				break
			}
			line, column := e.Position()
			key := e.Key()
			all = append(all, fmt.Errorf("%s:%d:%d: unknown key %q%s", file, line, column, key[len(key)-1],
				takes(key[0])))
		}
		return c, errors.Join(all...)
	case errors.As(err, &wrong):
		line, column := wrong.Position()
		text := strings.TrimPrefix(wrong.Error(), "toml: ")
		if what, _, typed := strings.Cut(text, " into "); typed && len(wrong.Key()) > 0 { // a field of this program
			text = what + " as " + wrong.Key()[len(wrong.Key())-1]
		}
		return c, fmt.Errorf("%s:%d:%d: %s", file, line, column, text)
	case err != nil:
		return c, fmt.Errorf("%s: %w", file, err)
	}
	return c, inLowerCase(file, text)
}

// takes lists the keys of a table, or the tables.
func takes(table string) string {
	if table == "policy" {
		return ": [policy] takes fail, alpha, error, bias, headroom, time, families, work, work_families, loosened, " +
			"unexecuted, undecided"
	}
	if table == "compile" {
		return ": [[compile]] takes file, std, math, include, define, undefine, prelude, constants, matrix, " +
			"constant_matrix, instances"
	}
	keys, ok := map[string]string{
		"contract":   "kernel, sums, forms, functions, accumulators, intermediates, subnormals",
		"table":      "name, constant, kernel",
		"absent":     "kernel",
		"exclude":    "file",
		"expect":     "case, stage, check",
		"accuracies": "file",
		"waive":      "case, stage, output, element, factor, skip",
	}[table]
	if !ok {
		return ": a file has specifications, packs, math, strict, require and the " +
			"tables [policy], [[contract]], [[table]], [[absent]], [[exclude]], " +
			"[[compile]], [[expect]], [[waive]] and [[accuracies]]"
	}
	return fmt.Sprintf(": [[%s]] takes %s, reason, expires", table, keys)
}
