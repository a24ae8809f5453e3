package suite

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"metalconform/metalrun"
)

// Table is constant data that an oracle reads from the program under test: a
// kernel is judged by what it does with its numbers, not by which they are.
type Table struct {
	Name  string // of an array at program scope, with or without namespaces before it
	Count int    // elements, all of type float
	// Note, if not nil, says in a clause what a reader should know of the numbers that
	// were found. It follows the name of the table.
	Note func(values []float64) string
}

// tables are the numbers in the tables of a file, by name. wrong says in clauses
// which tables are missing or not as wanted.
func (s *Shaders) tables(file string, want []Table) (values map[string][]float64, wrong []string, err error) {
	if len(want) == 0 {
		return nil, nil, nil
	}
	list, err := s.unit(file).constants()
	if err != nil {
		return nil, nil, err
	}
	values = map[string][]float64{}
	for _, t := range want {
		c, err := t.find(list)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		for at := 0; at < len(c.Data); at += 4 {
			x := math.Float32frombits(binary.LittleEndian.Uint32(c.Data[at:]))
			values[t.Name] = append(values[t.Name], float64(x))
		}
	}
	return values, wrong, nil
}

// find is the constant of the program that the table stands for.
func (t Table) find(list []metalrun.Constant) (found metalrun.Constant, err error) {
	for _, c := range list {
		if c.Name != t.Name && !strings.HasSuffix(c.Name, "::"+t.Name) {
			continue
		}
		if found.Name != "" {
			return found, fmt.Errorf("%s is both %s at %s and %s at %s", t.Name, found.Name, found.Position, c.Name, c.Position)
		}
		found = c
	}
	switch {
	case found.Name == "":
		return found, fmt.Errorf("no constant %s at program scope, want float[%d]", t.Name, t.Count)
	case found.Elem != "float" || found.Count != t.Count:
		return found, fmt.Errorf("%s: the constant %s is %s, want float[%d]", found.Position, t.Name, found.Type, t.Count)
	}
	return found, nil
}

// notes are the tables' notes on what was found.
func notes(tables []Table, values map[string][]float64) []string {
	var list []string
	for _, t := range tables {
		if t.Note != nil {
			list = append(list, t.Name+": "+t.Note(values[t.Name]))
		}
	}
	return list
}

// tables are those that the case's oracle reads: none before the stage of a
// pipeline has its shape.
func (c Case) tables() []Table {
	if c.Kernel.Tables == nil || c.Shape == nil {
		return nil
	}
	return c.Kernel.Tables(c.Shape)
}
