package suite

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// Table is constant data that a program holds and that its oracle needs too, such as a
// codebook. The oracle has the numbers from the catalogue, and a program with others
// fails: only numbers that are declared are taken from the program under
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

// read is the numbers of the constant that the declaration names.
func (d DeclaredTable) read(constants []metalrun.Constant, count int) ([]float64, error) {
	list := called(d.Constant, constants)
	if len(list) == 0 {
		return nil, fmt.Errorf("no constant %s at program scope, want float[%d]", d.Constant, count)
	}
	c := list[0]
	if len(list) > 1 {
		return nil, fmt.Errorf("it is both %s at %s and %s at %s: declare one of them with its namespaces", c.Name,
			c.Position, list[1].Name, list[1].Position)
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

// Held says that the numbers of a [Table] are those of the program under test, which are known by what their bytes come
// to: codebooks of thousands of numbers that somebody else has chosen. The table's Values stand for them
// where there is no program.
type Held struct {
	Type   Type   // that the bytes are read as, whatever the program takes them for
	Count  int    // of numbers of this type
	SHA256 string // of the bytes, in hexadecimal digits; a table that is declared needs not have it
}

// StandIn are numbers in place of those of the program.
func (h Held) StandIn() []float64 {
	values := make([]float64, h.Count)
	for i := range values {
		values[i] = float64(i % 100)
	}
	return values
}
