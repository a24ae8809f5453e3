package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"metalconform/metalrun"
	"slices"
)

// readTables finds the numbers that the oracle goes by, and compares what the program
// holds with the catalogue where nothing else is declared. What there is to know of
// declared ones is noted in the result. It reports false where the case ends here.
func (t *CaseRun) readTables(s *Shaders, file string, info metalrun.KernelInfo, r *Result) bool {
	tables := t.Case.Tables()
	if len(tables) == 0 {
		return true
	}
	constants, err := s.unit(file).constants()
	if err != nil {
		r.Because(Error, "%v", err)
		return false
	}
	t.tables, t.constants = map[string][]float64{}, constants
	var failures []Failure
	for _, table := range tables {
		t.tables[table.Name] = table.Values
		if table.Held != nil {
			values, found := t.held(table, constants, info)
			t.tables[table.Name], failures = values, append(failures, found...)
			continue
		}
		d, ok := t.declared.Table(t.Kernel.Name, table.Name)
		if !ok {
			failures = append(failures, t.compareTable(table, constants, info)...)
			continue
		}
		values, err := d.read(constants, len(table.Values))
		if err != nil {
			failures = append(failures, declarationFailure(CheckTables, info,
				fmt.Sprintf("%s is declared to be %s (%s): %v", d.Name, d.Constant, d.because(), err)))
			continue
		}
		t.tables[table.Name] = values
		if !slices.Equal(values, table.Values) {
			d.use(table, values, r)
		}
	}
	if len(failures) > 0 {
		r.FailBy(failures)
	}
	return len(failures) == 0
}

// use notes that the oracle goes by declared numbers, and what they are worth.
func (d DeclaredTable) use(table Table, values []float64, r *Result) {
	name := d.Constant
	if name != table.Name {
		name += " as " + table.Name
	}
	note, warnings := "in place of the catalogue's", []string(nil)
	if table.Appraise != nil {
		note, warnings = table.Appraise(values)
	}
	r.recordUse(d.Entry, name+": "+note)
	for _, text := range warnings {
		r.warn(fmt.Sprintf("%s: %s (%s)", name, text, d.Position))
	}
}

// compareTable reports where a constant of the program that has a table's name, and as
// many numbers, has others. A program may hold the numbers under any name and in any
// form: what it then makes of them is for values to show.
func (t *CaseRun) compareTable(table Table, constants []metalrun.Constant, info metalrun.KernelInfo) []Failure {
	var found []Failure
	for _, c := range called(table.Name, constants) {
		typ, float := tableTypes[c.Elem]
		if !float || c.Count != len(table.Values) {
			continue
		}
		values := typ.values(c.Data)
		f, differs := table.difference(values)
		if !differs {
			return nil
		}
		f.Kernel, f.At = info.Name, &metalrun.Party{Position: c.Position, Does: "declaration"}
		if !t.today.IsZero() && meant(values, table.Values) {
			f.Remedy = t.tableRemedy(table.Name, c.Name, 0)
		}
		found = append(found, f)
	}
	return found[:min(len(found), 1)]
}

// meant reports whether a program may mean its own numbers where the catalogue has others. A table of which most
// numbers are the catalogue's has a slip of the pen, and one that has them in another order, or with other signs, is
// mixed up.
func meant(values, catalogue []float64) bool {
	differ := 0
	for i, x := range values {
		if x != catalogue[i] {
			differ++
		}
	}
	sizes := func(list []float64) []float64 {
		list = slices.Clone(list)
		for i := range list {
			list[i] = math.Abs(list[i])
		}
		slices.Sort(list)
		return list
	}
	return 2*differ >= len(values) && !slices.Equal(sizes(values), sizes(catalogue))
}

// tableRemedy is the entry that declares a constant of the program to be a table.
func (t *CaseRun) tableRemedy(name, constant string, ratio float64) *Remedy {
	return &Remedy{Kernel: t.Kernel.Name, Table: &TableRemedy{name, constant}, ErrorRatio: Figure(ratio),
		Expires: t.expires()}
}

// searchTables is the declaration of a constant of the program with which the outputs
// conform; nil if there is none.
func (s *remedySearch) searchTables() *Remedy {
	own := s.problem.tables
	defer func() { s.problem.tables = own }()
	for _, table := range s.Case.Tables() {
		if _, ok := s.declared.Table(s.Kernel.Name, table.Name); ok || table.Held != nil {
			continue
		}
		for _, c := range s.constants {
			d := DeclaredTable{Constant: c.Name}
			values, err := d.read([]metalrun.Constant{c}, len(table.Values))
			if err != nil || !meant(values, table.Values) {
				continue
			}
			s.problem.tables = maps.Clone(own)
			s.problem.tables[table.Name] = values
			if ratio, ok := s.conforms(s.Kernel.Contract); ok {
				return s.tableRemedy(table.Name, c.Name, ratio)
			}
		}
	}
	return nil
}

// held are the numbers of a table that only the program holds, or what is wrong with them.
func (t *CaseRun) held(table Table, constants []metalrun.Constant, info metalrun.KernelInfo) ([]float64, []Failure) {
	name, want := table.Name, table.Held.SHA256
	if d, ok := t.declared.Table(t.Kernel.Name, table.Name); ok {
		name, want = d.Constant, ""
	}
	wrong := func(format string, args ...any) ([]float64, []Failure) {
		return nil, []Failure{declarationFailure(CheckTables, info, fmt.Sprintf(format, args...))}
	}
	list := called(name, constants)
	if len(list) == 0 {
		return wrong("no constant %s at program scope, want %d bytes that the definition goes by: a program that has "+
			"them under another name declares a [[table]] in conform.toml", name,
			table.Held.Count*table.Held.Type.Bytes())
	}
	c := list[0]
	if got := len(c.Data); got != table.Held.Count*table.Held.Type.Bytes() {
		return wrong("%s: the constant %s has %d bytes, want %d %s", c.Position, c.Name, got, table.Held.Count,
			table.Held.Type)
	}
	if sum := sha256.Sum256(c.Data); want != "" && hex.EncodeToString(sum[:]) != want {
		return wrong("%s: the bytes of %s have the SHA-256 %x, want %s", c.Position, c.Name, sum, want)
	}
	values := table.Held.Type.values(c.Data)
	for i, x := range values {
		if !isFinite(x) {
			return wrong("%s: %s[%d] is %v", c.Position, c.Name, i, x)
		}
	}
	return values, nil
}
