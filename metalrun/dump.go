package metalrun

import (
	"fmt"
	"io"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// Passes are the passes of the front end that [Program.Dump] can print.
func Passes() []string { return []string{"tokens", "tree", "types", "ir"} }

// Dump writes what one pass of the front end made of the program: the
// preprocessor's tokens, the syntax tree as source, the typed tree, or the
// intermediate representation of every entry point. A program does not keep its
// tokens, so they are scanned again. Of a compiled library all passes before the
// intermediate representation are the assembly of its modules.
func (p *Program) Dump(w io.Writer, pass string) (err error) {
	if p.library != nil && pass != "ir" {
		return p.dumpListings(w)
	}
	switch pass {
	case "tokens":
		tokens, errs := syntax.Preprocess(p.source.Name, p.source.Files,
			p.options.syntax(p.source, &syntax.Budget{All: p.options.Budget, Limits: p.options.Limits}))
		if len(errs) > 0 {
			return diagnostics(p.source, nil, errs)
		}
		return syntax.FprintTokens(w, tokens)
	case "tree":
		p.Tree(func(f *syntax.File) { err = syntax.Fprint(w, f) })
		return err
	case "types":
		opts := p.options.types(p.tree.budget)
		opts.Checkers = 1 // for a function to be there once
		p.Tree(func(f *syntax.File) {
			typed, _ := types.Check(f, opts)
			_, err = io.WriteString(w, hir.Print(typed))
		})
		return err
	case "ir":
		return p.dumpKernels(w)
	}
	return fmt.Errorf("no pass is called %q: want %s", pass, strings.Join(Passes(), ", "))
}

// dumpListings writes what a compiled library has instead of a source: its modules, as LLVM's assembly has them.
func (p *Program) dumpListings(w io.Writer) error {
	for _, e := range p.entries {
		if _, err := fmt.Fprintf(w, "; kernel %s\n%s", e.Name, p.library.funcs[e.Name].Listing()); err != nil {
			return err
		}
	}
	return nil
}

func (p *Program) dumpKernels(w io.Writer) error {
	for i, e := range p.supported() {
		k, err := e.lower()
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := ir.Fprint(w, k); err != nil {
			return err
		}
	}
	return nil
}
