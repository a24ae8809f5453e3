package metalrun

import (
	"fmt"
	"io"
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// Passes are the passes of the front end whose result [Dump] can print.
func Passes() []string { return []string{"tokens", "tree", "types", "ir"} }

// Dump writes what one pass of the front end made of src: the preprocessor's
// tokens, the syntax tree as source, the typed tree, or the intermediate
// representation of every entry point. The error is a Diagnostics if the source
// is ill-formed.
func Dump(w io.Writer, src Source, opts CompileOptions, pass string) error {
	cfg := syntaxConfig(opts)
	switch pass {
	case "tokens":
		tokens, errs := syntax.Preprocess(src.Name, src.Files, cfg)
		if len(errs) > 0 {
			return diagnostics(errs)
		}
		return syntax.FprintTokens(w, tokens)
	case "tree":
		file, errs := syntax.Parse(src.Name, src.Files, cfg)
		if len(errs) > 0 {
			return diagnostics(errs)
		}
		return syntax.Fprint(w, file)
	case "types", "ir":
		program, err := analyse(src, opts)
		if err != nil {
			return err
		}
		return dumpProgram(w, program, pass)
	}
	return fmt.Errorf("no pass is called %q: want %s", pass, strings.Join(Passes(), ", "))
}

func dumpProgram(w io.Writer, program *types.Program, pass string) error {
	if pass == "types" {
		_, err := io.WriteString(w, types.Print(program))
		return err
	}
	for i, f := range program.Kernels {
		k, err := lower(f)
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
