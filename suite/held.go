package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"metalconform/metalrun"
)

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
		return wrong("no constant %s at program scope, want %d bytes that the definition goes by: a program that has them under another name declares a [[table]] in conform.toml", name, table.Held.Count*table.Held.Type.Bytes())
	}
	c := list[0]
	if got := len(c.Data); got != table.Held.Count*table.Held.Type.Bytes() {
		return wrong("%s: the constant %s has %d bytes, want %d %s", c.Position, c.Name, got, table.Held.Count, table.Held.Type)
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
