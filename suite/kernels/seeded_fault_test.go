package kernels

import (
	"errors"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metalconform/fixtures"
	"metalconform/metalrun"
	"metalconform/suite"
)

// seededArchive is an archive of fixtures.Faults, which says what its fields are.
type seededArchive struct {
	archive
	hazard   string
	cases    []suite.Case
	check    suite.Check
	note     string
	at       string
	others   []string
	only     bool
	missed   string
	declared bool // what it lacks is the declaration that its report prints

	math   []metalrun.Math // that the kernel is built with; none: safe
	relies string          // the choice of a compiler that the report has to name, at the line
}

// seededArchives are all archives of faults, in the order of their names.
func seededArchives(t testing.TB) []seededArchive {
	t.Helper()
	cases := map[string]suite.Case{}
	for _, c := range quickCases() {
		cases[c.Name] = c
	}
	firsts, _ := suite.Firsts(quickCases())
	for _, c := range firsts {
		for _, name := range c.WithConstantsOf() {
			c.Name = name // stands for the case that the constants of the fault make
			cases[name] = c
		}
	}
	var all []seededArchive
	readArchives(t, fixtures.Faults, "faults", func(name string, from *txtar.Archive) error {
		a := seededArchive{archive: archive{name: name}}
		defer func() { all = append(all, a) }()
		return a.parse(from, cases)
	})
	return all
}

// made are the cases of the archive, those that are made from constants of its source among them.
func (a *seededArchive) made(t testing.TB, s *suite.Shaders) []suite.Case {
	t.Helper()
	cases := slices.Clone(a.cases)
	for i, c := range cases {
		if slices.ContainsFunc(quickCases(), func(other suite.Case) bool { return other.Name == c.Name }) {
			continue
		}
		own := suite.WithConstants(casesWhere(func(other suite.Case) bool { return other.Kernel == c.Kernel }), s, nil)
		at := slices.IndexFunc(own, func(other suite.Case) bool { return other.Name == c.Name })
		if at < 0 {
			t.Fatalf("%s: the constants of its source make no case %s", a.name, c.Name)
		}
		cases[i] = own[at]
	}
	return cases
}

// parse reads an archive, whose cases have to be among those given.
func (a *seededArchive) parse(from *txtar.Archive, cases map[string]suite.Case) error {
	if err := a.archive.parse(from, func(key, value string) error { return a.set(key, value, cases) }); err != nil {
		return err
	}
	reported := a.missed == "" && len(a.cases) > 0 && (a.check == "") != (a.note == "")
	missed := a.missed != "" && len(a.cases) == 0 && a.check == "" && a.note == ""
	switch {
	case a.hazard == "" || a.kernel == "":
		return errors.New("want hazard and kernel")
	case len(a.math) > 0 && (a.at == "" || (a.relies == "") == (a.check != suite.CheckFastMath)):
		return errors.New("want the line, and what the compiler does there, of a fault of a mode")
	case reported == missed:
		return errors.New("want a case and one of check and note, or else missed")
	}
	return nil
}

func (a *seededArchive) set(key, value string, cases map[string]suite.Case) error {
	switch key {
	case "hazard":
		return once(&a.hazard, value)
	case "kernel":
		return once(&a.kernel, value)
	case "check":
		return once((*string)(&a.check), value)
	case "missed":
		return once(&a.missed, value)
	case "note":
		return once(&a.note, value)
	case "at":
		return once(&a.at, value)
	case "relies":
		return once(&a.relies, value)
	case "math":
		m, err := metalrun.ParseMath(value)
		a.math = append(a.math, m)
		return err
	case "other":
		a.others = append(a.others, value)
		return nil
	case "case":
		c, ok := cases[value]
		if !ok {
			c, ok = suite.CaseAt(quickCases(), value) // which the source may lead to
		}
		if !ok {
			return errors.New("the quick sweep has no such case")
		}
		a.cases = append(a.cases, c)
		return nil
	}
	flag, ok := map[string]*bool{"only": &a.only, "declared": &a.declared}[key]
	if !ok || value != "yes" {
		return errors.New("no such key")
	}
	*flag = true
	return nil
}
