package metalrun

import (
	"metalconform/metalrun/internal/consteval"
	"metalconform/metalrun/internal/syntax"
)

// CompileOptions are the choices a host makes when it compiles a library. They are always passed explicitly, because
// the defaults of the platform depend on the host binary.
type CompileOptions struct {
	LanguageVersion   Version
	MathMode          MathMode
	FastFunctions     bool              // unqualified f32 functions mean fast:: and not precise::
	Macros            map[string]string // predefined object-like macros
	FunctionConstants map[int]any       // values by function_constant index: bool, integers, float32
	Budget            int               // steps that a compilation may take; 0 means DefaultBudget
	Limits            Limits            // of what a source may have
	// Include refuses bytes that are included, for whoever counts those of several compilations; nil: it is never asked
	Include func(bytes int) error
	// steps that lowering all entry points that are asked for at once may take, a third of a microsecond each; 0 means
	// Budget
	Lowering int

	entries  []string            // that are wanted; nil means all
	coverage *consteval.Coverage // nil: not asked for

	// Trace, if not nil, is called as each pass of the front end begins: "tree" and
	// "types" for a file, "functions" for a kernel whose functions are looked at, and "ir" for
	// one that is lowered. Calls may overlap.
	Trace func(pass, of string)
}

// For returns options that analyse only the entry points named, and ignore the others.
func (o CompileOptions) For(entries ...string) CompileOptions {
	o.entries = entries
	return o
}

// DefaultBudget is more steps than any honest source takes: about ten seconds. Tokens, expressions,
// instances of templates, steps of constant evaluation and inlined calls count.
const DefaultBudget = syntax.DefaultBudget

// Limits bound how deep a source nests and the like, where the Budget bounds the work of all of it. The zero Limits are
// the usual ones.
type Limits = syntax.Limits

// Version is a version of the language as __METAL_VERSION__ spells it: 310 is 3.1.
type Version int

// DefaultVersion is the oldest language that has everything the catalogue needs (bfloat).
const DefaultVersion Version = 310
