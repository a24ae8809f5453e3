package metalrun

import (
	"encoding/json"
	"strings"

	"metalconform/metalrun/internal/ir"
)

// LibraryEdit is an edit of one instruction of a kernel of a compiled library: another operation, function or literal,
// or none of it.
type LibraryEdit struct {
	Kernel  string `json:"kernel"`
	At      int    `json:"at"`           // the instruction, counted in the order of the intermediate representation
	Op      ir.Op  `json:"op,omitempty"` // the operation that it becomes; ir.Nop: it keeps its own
	Fn      string `json:"fn,omitempty"` // the function that it calls
	Operand int    `json:"operand"`      // that becomes a literal; -1 for none
	Bits    uint64 `json:"bits,omitempty"`
	Remove  bool   `json:"remove,omitempty"`
}

// editMark is ahead of an edit, which follows the bytes of a library.
const editMark = "\x00conform edit "

// EditLibrary is a source with an edit of the library that it is.
func EditLibrary(src Source, e LibraryEdit) Source {
	edit, err := json.Marshal(e)
	if err != nil {
		panic(err) // it has numbers and names alone
	}
	text, _ := editedLibrary(src.Files[src.Name])
	return SourceText(src.Name, text+editMark+string(edit))
}

// editedLibrary is the text of a library without its edit, and the edit, nil if it has none.
func editedLibrary(text string) (string, *LibraryEdit) {
	i := strings.LastIndex(text, editMark)
	if i < 0 {
		return text, nil
	}
	e := &LibraryEdit{}
	if json.Unmarshal([]byte(text[i+len(editMark):]), e) != nil {
		return text, nil
	}
	return text[:i], e
}

// apply edits a kernel.
func (e *LibraryEdit) apply(k *ir.Kernel) error {
	n := 0
	for in := range ir.Instrs(k.Body...) {
		if n++; n-1 != e.At {
			continue
		}
		switch {
		case e.Remove:
			*in = ir.Instr{Op: ir.Nop, Pos: in.Pos}
		case e.Operand >= 0 && e.Operand < len(in.Args):
			t := k.Regs[in.Args[e.Operand]].Type
			in.Args[e.Operand] = k.Register(ir.RegInfo{Kind: ir.Literal, Type: t, Bits: ir.Canonical(t, e.Bits)})
		case e.Fn != "":
			in.Fn = e.Fn
		case e.Op != ir.Nop:
			if in.Op = e.Op; !in.Op.Info().FastMath {
				in.Allow = 0
			}
			if in.Fast = in.Fast && in.Op == ir.Div; !in.Op.Info().Contracts {
				in.Group = 0
			}
		}
		break
	}
	return ir.Verify(k)
}
