// Package irtest lowers kernels from source text, for tests of the packages that analyse, compile and execute them.
//
// The rule of the layer: tests alone import it.
package irtest

import (
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// Lower gives the first kernel of a text.
func Lower(t *testing.T, text string) *ir.Kernel {
	t.Helper()
	file, errs := syntax.Parse("test.metal", map[string]string{"test.metal": text}, syntax.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	program, errs := types.Check(file, types.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	k, err := lower.Lower(program.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	return k
}
