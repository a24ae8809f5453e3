package metalrun

import "fmt"

// Position is a place in a source file. Lines and columns count from 1, columns in
// bytes.
type Position struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }
