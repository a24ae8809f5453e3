package lower_test

import (
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// BenchmarkCompile compiles all shaders: parse, check, lower, verify.
func BenchmarkCompile(b *testing.B) {
	texts := map[string]string{}
	for _, path := range sources(b, "../../../../shaders/*.metal") {
		texts[path] = read(b, path)
	}
	b.ReportAllocs()
	for b.Loop() {
		for path := range texts {
			compile(b, path, texts)
		}
	}
}

func compile(b *testing.B, path string, texts map[string]string) {
	file, errs := syntax.Parse(path, texts, syntax.Config{})
	if len(errs) > 0 {
		b.Fatal(errs)
	}
	program, errs := types.Check(file, types.Config{})
	if len(errs) > 0 {
		b.Fatal(errs)
	}
	for _, fn := range program.Kernels {
		k, err := lower.Lower(fn)
		if err == nil {
			err = ir.Verify(k)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLower lowers and verifies all shaders from their typed trees.
func BenchmarkLower(b *testing.B) {
	var fns []*hir.Func
	for _, path := range sources(b, "../../../../shaders/*.metal") {
		fns = append(fns, check(b, path, read(b, path)).Kernels...)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, fn := range fns {
			k, err := lower.Lower(fn)
			if err == nil {
				err = ir.Verify(k)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
