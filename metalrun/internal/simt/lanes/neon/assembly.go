package main

import (
	"fmt"
	"strings"
)

// assembly is the text of functions for Go's assembler.
type assembly struct {
	strings.Builder
}

// line writes an instruction that Go's assembler knows.
func (s *assembly) line(format string, args ...any) {
	s.WriteString("\t")
	fmt.Fprintf(s, format, args...)
	s.WriteString("\n")
}

func (s *assembly) label(name string) { s.WriteString(name + ":\n") }

// op writes an instruction of the table as its encoding. A mistake in the
// arguments is one in this program.
func (s *assembly) op(name string, fields ...int) {
	word, text, err := encode(name, fields...)
	if err != nil {
		panic(err)
	}
	s.line("WORD $%#08x // %s", word, text)
}

// A parameter of a function is a slice of lanes, a scalar or an Index.
type parameter struct {
	name string
	typ  string
}

// size is the number of bytes on the stack.
func (p parameter) size() int {
	switch p.typ {
	case "[]uint32", "[]uint64":
		return 24
	case "Index":
		return 16
	case "uint32":
		return 4
	}
	return 8
}

// A function is a routine; result is the type that it returns, "" or "int".
type function struct {
	name       string
	parameters []parameter
	result     string
	body       func(s *assembly, at frame)
}

// A frame gives the offsets of the parameters on the stack and, as ret, of the
// result.
type frame map[string]int

// word is the operand that means a field at an offset in a parameter. The field
// of a scalar is "".
func (f frame) word(name, field string, offset int) string {
	if field != "" {
		field = "_" + field
	}
	return fmt.Sprintf("%s%s+%d(FP)", name, field, f[name]+offset)
}

// layout places parameters and result; the second value is their size.
func (f function) layout() (frame, int) {
	at, end := frame{}, 0
	put := func(name string, size int) {
		if size != 4 && size != 16 { // all but uint32 and Index are of words
			end = (end + 7) &^ 7
		}
		at[name] = end
		end += size
	}
	for _, p := range f.parameters {
		put(p.name, p.size())
	}
	if f.result != "" {
		put("ret", 8)
	}
	return at, end
}

// text is the function for the assembler.
func (f function) text() string {
	var s assembly
	at, size := f.layout()
	fmt.Fprintf(&s, "\n// %s\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", f.declaration(), f.name, size)
	f.body(&s, at)
	s.line("RET")
	return s.String()
}

// declaration is the function for the compiler.
func (f function) declaration() string {
	var list []string
	for i, p := range f.parameters {
		if i+1 < len(f.parameters) && f.parameters[i+1].typ == p.typ {
			list = append(list, p.name)
		} else {
			list = append(list, p.name+" "+p.typ)
		}
	}
	return strings.TrimSpace(fmt.Sprintf("func %s(%s) %s", f.name, strings.Join(list, ", "), f.result))
}
