package metalrun

import (
	"metalconform/metalrun/internal/hir"
)

// Constant is constant data that a translation unit declares at program scope.
type Constant struct {
	Name     string // with its namespaces: tables::sine
	Position Position
	Type     string // as MSL spells it: float[16]
	Elem     string // type of the elements of an array of any rank, otherwise Type
	Count    int    // elements; 1 unless it is an array
	Data     []byte // contents in little-endian order
}

// Constants lists the variables of program scope in order of declaration, with
// their contents. Function constants are left out, and so are constants that
// depend on one without a value.
func (p *Program) Constants() []Constant {
	list := make([]Constant, len(p.typed.Constants))
	for i, v := range p.typed.Constants {
		elem, count := elements(v.Type)
		list[i] = Constant{
			Name: v.Name, Position: position(v.Pos), Type: v.Type.String(),
			Elem: elem.String(), Count: count, Data: append([]byte(nil), v.Data...),
		}
	}
	return list
}

// FunctionConstant is a constant whose value the host gives when it compiles.
type FunctionConstant struct {
	Name     string // with its namespaces
	Position Position
	Type     string // scalar or vector as MSL spells it
	Index    int
	Defined  bool // the options have a value for it
}

// FunctionConstants lists the function constants in the order of their indices.
func (p *Program) FunctionConstants() []FunctionConstant {
	list := make([]FunctionConstant, len(p.typed.FunctionConstants))
	for i, c := range p.typed.FunctionConstants {
		list[i] = FunctionConstant{Name: c.Name, Position: position(c.Pos), Type: c.Type.String(), Index: c.Index,
			Defined: c.Defined}
	}
	return list
}

// elements is what an array is made of, through all its dimensions.
func elements(t hir.Type) (elem hir.Type, count int) {
	count = 1
	for {
		a, ok := t.(*hir.Array)
		if !ok {
			return t, count
		}
		t, count = a.Elem, count*a.Len
	}
}
