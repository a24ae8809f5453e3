package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// Table is constant data that a program holds and that its oracle needs too, such as a
// codebook. The oracle has the numbers from the catalogue, and a program with others
// does not conform: only numbers that are declared are taken from the program under
// test (see [DeclaredTable]).
type Table struct {
	Name   string    // in the catalogue, of an array at program scope
	Values []float64 // multiples of f32
	Held   *Held     // what is known of the numbers where they are the program's own; nil if Values are meant
	// Appraise says what a reader should know of numbers in their place: a note, and what
	// is worth a warning, in clauses that follow the name of the table. They are finite,
	// and as many. nil has nothing to say.
	Appraise func(values []float64) (note string, warnings []string)
}

// DeclaredTable is a table of the program that counts in place of the catalogue's: its
// kernels are judged by what they do with its numbers.
type DeclaredTable struct {
	Entry
	Name     string  // in the catalogue
	Constant string  // in the program, with or without namespaces before it
	Kernels  Pattern // that go by it; the zero Pattern takes all
}

// Table is the declared table of a kernel in place of the catalogue's of that name.
func (d *Declarations) Table(kernel, name string) (DeclaredTable, bool) {
	if d == nil {
		return DeclaredTable{}, false
	}
	i := slices.IndexFunc(d.Tables, func(t DeclaredTable) bool { return t.Name == name && t.About(kernel) })
	if i < 0 {
		return DeclaredTable{}, false
	}
	return d.Tables[i], true
}

// About reports whether a kernel goes by the table, if it has one of that name.
func (d DeclaredTable) About(kernel string) bool {
	return d.Kernels.Regexp == nil || d.Kernels.MatchString(kernel)
}

// of are the cases of kernels that go by the table.
func (d DeclaredTable) of(cases []Case) []Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool {
		named := func(t Table) bool { return t.Name == d.Name }
		return !d.About(c.Kernel.Name) || !slices.ContainsFunc(c.Tables(), named)
	})
}

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
			failures = append(failures, declarationFailure(CheckTables, info, fmt.Sprintf("%s is declared to be %s (%s): %v", d.Name, d.Constant, d.because(), err)))
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
		f, differs := table.difference(typ.values(c.Data))
		if !differs {
			return nil
		}
		f.Kernel, f.At = info.Name, &metalrun.Party{Position: c.Position, Does: "declaration"}
		if !t.today.IsZero() {
			f.Remedy = t.tableRemedy(table.Name, c.Name, 0)
		}
		found = append(found, f)
	}
	return found[:min(len(found), 1)]
}

// difference is the failure of numbers that are not the table's.
func (table Table) difference(values []float64) (f Failure, differs bool) {
	f = Failure{Check: CheckTables, Arg: table.Name, Type: F32.String(), Extents: []int{len(values)}, Of: len(values)}
	for i, x := range values {
		if x == table.Values[i] {
			continue
		}
		if f.Count++; f.Count == 1 {
			f.Index, f.First = []int{i}, []int{i}
			f.Got, f.Want = new(Value(x)), new(Value(table.Values[i]))
		}
	}
	return f, f.Count > 0
}

// tableRemedy is the entry that declares a constant of the program to be a table.
func (t *CaseRun) tableRemedy(name, constant string, ratio float64) *Remedy {
	return &Remedy{Kernel: t.Kernel.Name, Table: &TableRemedy{name, constant}, ErrorRatio: Figure(ratio), Expires: t.expires()}
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
			if err != nil || slices.Equal(values, table.Values) {
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

// read is the numbers of the constant that the declaration names.
func (d DeclaredTable) read(constants []metalrun.Constant, count int) ([]float64, error) {
	list := called(d.Constant, constants)
	if len(list) == 0 {
		return nil, fmt.Errorf("no constant %s at program scope, want float[%d]", d.Constant, count)
	}
	c := list[0]
	if len(list) > 1 {
		return nil, fmt.Errorf("it is both %s at %s and %s at %s: declare one of them with its namespaces", c.Name, c.Position, list[1].Name, list[1].Position)
	}
	typ, float := tableTypes[c.Elem]
	if !float || c.Count != count {
		return nil, fmt.Errorf("%s: the constant %s is %s, want float[%d]", c.Position, c.Name, c.Type, count)
	}
	values := typ.values(c.Data)
	for i, x := range values {
		if !isFinite(x) {
			return nil, fmt.Errorf("%s: %s[%d] is %v", c.Position, c.Name, i, x)
		}
	}
	return values, nil
}

// tableTypes are the element types of tables by their names in MSL.
var tableTypes = map[string]Type{"float": F32, "half": F16, "bfloat": BF16}

// values are the elements of constant data.
func (t Type) values(data []byte) []float64 {
	list := make([]float64, len(data)/t.Bytes())
	for i := range list {
		list[i] = t.value(t.word(data, i))
	}
	return list
}

// called are the constants of that name, with or without namespaces before it.
func called(name string, constants []metalrun.Constant) []metalrun.Constant {
	var list []metalrun.Constant
	for _, c := range constants {
		if c.Name == name || strings.HasSuffix(c.Name, "::"+name) {
			list = append(list, c)
		}
	}
	return list
}

// Tables are those that the case's oracle goes by: none before the stage of a pipeline
// has its shape, and none of a shape that is not launched.
func (c Case) Tables() []Table {
	if c.Kernel.Tables == nil || c.Shape == nil || c.Input.Name == refused {
		return nil
	}
	return c.Kernel.Tables(c.Shape)
}
