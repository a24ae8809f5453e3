package mutation

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// relatives are functions that are easily taken for one another.
func relatives(name string) []string {
	switch name {
	case "min":
		return []string{"max"}
	case "max":
		return []string{"min"}
	case "fmin":
		return []string{"fmax"}
	case "fmax":
		return []string{"fmin"}
	case "exp":
		return []string{"exp2"}
	case "exp2":
		return []string{"exp"}
	case "log":
		return []string{"log2"}
	case "log2":
		return []string{"log"}
	case "sqrt":
		return []string{"rsqrt"}
	case "rsqrt":
		return []string{"sqrt"}
	case "sin":
		return []string{"cos"}
	case "cos":
		return []string{"sin"}
	case "floor":
		return []string{"ceil"}
	case "ceil":
		return []string{"floor"}
	case "round":
		return []string{"rint", "trunc"}
	case "rint":
		return []string{"round", "trunc"}
	case "simd_sum":
		return []string{"simd_max", "quad_sum"}
	case "simd_max":
		return []string{"simd_min", "simd_sum", "quad_max"}
	case "simd_min":
		return []string{"simd_max", "simd_sum", "quad_min"}
	case "any":
		return []string{"all"}
	case "all":
		return []string{"any"}
	}
	if other, ok := strings.CutPrefix(name, "simd_"); ok {
		return []string{"quad_" + other}
	}
	return nil
}

// dispensable reports whether a call of a function of one argument may be left
// out, so that the argument is its value.
func dispensable(name string) bool {
	return slices.Contains([]string{
		"simd_sum", "simd_max", "simd_min", "simd_product", "simd_broadcast_first",
		"abs", "fabs", "exp", "log", "sqrt", "rsqrt", "tanh", "floor", "ceil", "round", "rint", "trunc",
	}, name)
}

// hasFast reports whether there is a fast form of a function in addition to the precise.
func hasFast(name string) bool {
	return slices.Contains([]string{
		"acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "exp2", "exp10", "log", "log2", "log10",
		"pow", "powr", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh",
	}, name)
}

func function(s editPoint) []edit {
	if s.expr == nil {
		return nil
	}
	call, ok := (*s.expr).(*syntax.CallExpr)
	if !ok {
		return nil
	}
	fun, ok := call.Fun.(*syntax.NameExpr)
	if !ok {
		return nil
	}
	name := fun.Name.Last().Ident
	var edits []edit
	for _, other := range relatives(name) {
		edits = append(edits, put(&fun.Name.Last().Ident, other))
	}
	if hasFast(name) &&
		!slices.ContainsFunc(fun.Name.Parts, func(p syntax.NamePart) bool { return p.Ident == "fast" }) {
		edits = append(edits, put(&fun.Name, plainName("fast", name)))
	}
	switch {
	case len(call.Args) == 1 && dispensable(name):
		edits = append(edits, replace(s.expr, call.Args[0]))
	case len(call.Args) == 3 && name == "fma":
		product := &syntax.BinaryExpr{Op: "*", X: call.Args[0], Y: call.Args[1]}
		edits = append(edits, replace(s.expr, &syntax.BinaryExpr{Op: "+", X: product, Y: call.Args[2]}))
	}
	return edits
}

// argument exchanges neighbouring arguments of a call or of a construction. Where
// their types differ, the front end refuses many.
func argument(s editPoint) []edit {
	if s.expr == nil {
		return nil
	}
	var args []syntax.Expr
	switch x := (*s.expr).(type) {
	case *syntax.CallExpr:
		args = x.Args
	case *syntax.ConstructExpr:
		args = x.Args
	}
	var edits []edit
	for i := 1; i < len(args); i++ {
		edits = append(edits, exchange(&args[i-1], &args[i]))
	}
	return edits
}
