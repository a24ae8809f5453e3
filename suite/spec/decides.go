package spec

import (
	"path"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Whether a definition decides shows in its text: it compares what is no position, rounds to integers, or orders. One
// too many costs a case, and one that decides by a function which another has given it is missed.

// deciding are the functions that do.
var deciding = map[string]bool{"(<)": true, "(<=)": true, "(>)": true, "(>=)": true, "(==)": true, "(!=)": true,
	"less": true, "less_equal": true, "greater": true, "greater_equal": true, "equal": true, "not_equal": true,
	"floor": true, "ceil": true, "trunc": true, "round": true, "rint": true, "sign": true, "fmod": true,
	"argmax": true, "argmin": true, "argsort": true, "top_k": true, "searchsorted": true}

// roundingNames are the names of what rounds: a definition without any of them has no result that a format rounds, even
// if all its results happen to be numbers of one.
var roundingNames = map[string]bool{"f32": true, "f16": true, "bf16": true, "f8e4m3": true, "f8e5m2": true,
	"from_bits": true, "to_bits": true, "bits": true, "data": true, "floor": true, "ceil": true, "trunc": true,
	"round": true, "rint": true, "sign": true, "fmod": true, "(//)": true, "(%)": true, "(//=)": true, "(%=)": true}

// keepingSigns are the functions that give each element as it is, or with another sign: a definition that has no others
// says which zeros are negative.
var keepingSigns = map[string]bool{"(-x)": true, "abs": true, "absolute": true, "reshape": true, "transpose": true,
	"squeeze": true, "flip": true, "roll": true, "concat": true, "stack": true, "repeat": true, "tile": true}

// usesOf are the names that parts of a file use.
func usesOf(f *syntax.File) uses {
	n := uses{functions: map[spot][]string{}, globals: map[string][]string{}, loaded: map[string]string{}}
	syntax.Walk(f, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.DefStmt:
			n.functions[spot{node.Def.Line, node.Def.Col}] = usedIn(node.Body)
		case *syntax.LambdaExpr:
			n.functions[spot{node.Lambda.Line, node.Lambda.Col}] = used(node.Body)
		}
		return true
	})
	for _, s := range f.Stmts {
		switch s := s.(type) {
		case *syntax.DefStmt:
			n.globals[s.Name.Name] = usedIn(s.Body)
		case *syntax.AssignStmt:
			if name, ok := s.LHS.(*syntax.Ident); ok {
				n.globals[name.Name] = used(s.RHS)
			}
		case *syntax.LoadStmt:
			for i, to := range s.To {
				n.loaded[to.Name] = s.ModuleName()
				n.globals[to.Name] = []string{s.From[i].Name}
			}
		}
	}
	return n
}

func usedIn(body []syntax.Stmt) []string {
	var all []string
	for _, s := range body {
		all = append(all, used(s)...)
	}
	return all
}

// used are the names in a part of a file, but for comparisons of positions and what control hangs on.
func used(n syntax.Node) []string {
	var all []string
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			all = append(all, n.Name)
		case *syntax.CallExpr:
			name, ok := n.Fn.(*syntax.Ident)
			if !ok {
				break
			}
			if name.Name == "(truth)" {
				return false
			}
			if roundingNames[name.Name] && ofLiterals(n) {
				return false
			}
			if method := methodOf(n); method != "" {
				all = append(all, method)
			}
			all = append(all, calledMark+name.Name)
			if name.Name[0] == '(' && deciding[name.Name] && slices.ContainsFunc(n.Args, ofPositions) {
				return false
			}
			for _, t := range types {
				if _, float := t.of.Format(); t.name == name.Name && (!float || t.format != nil) {
					all = append(all, "rint") // a cast
				}
			}
		}
		return true
	})
	return all
}

// calledMark begins the mark of a name that is called.
const calledMark = "?"

// ofLiterals reports whether a call has nothing but numbers to round: it names a constant.
func ofLiterals(call *syntax.CallExpr) bool {
	return !slices.ContainsFunc(call.Args, func(e syntax.Expr) bool {
		number, ok := e.(*syntax.Literal)
		return !ok || number.Token != syntax.INT && number.Token != syntax.FLOAT
	})
}

// methodOf is the name of the method or the attribute that a guard of a dot is asked for; "" for other calls.
func methodOf(call *syntax.CallExpr) string {
	if guard, ok := call.Fn.(*syntax.Ident); !ok || guard.Name != "(.)" || len(call.Args) != 2 {
		return ""
	}
	name, ok := call.Args[1].(*syntax.Literal)
	if !ok {
		return ""
	}
	text, _ := name.Value.(string)
	return text
}

// ofPositions reports whether an operand of a comparison is a position, or of one.
func ofPositions(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		name, ok := n.(*syntax.Ident)
		found = found || ok && name.Name == "arange"
		return !found
	})
	return found
}

// decides reports whether a function of some file does, or one that it uses.
func (r *reader) decides(f *starlark.Function) bool {
	return r.anyUsed(f, func(name string) bool { return deciding[name] })
}

// rounds reports whether a function of some file rounds, or one that it uses, or calls something that the text does not
// show.
func (r *reader) rounds(f *starlark.Function) bool {
	return r.anyUsed(f, func(name string) bool {
		called, is := strings.CutPrefix(name, calledMark)
		return roundingNames[name] || is && !predeclared.Has(called)
	})
}

// keepsSigns reports whether a function changes signs, and does nothing else to elements.
func (r *reader) keepsSigns(f *starlark.Function) bool {
	changes := false
	return !r.anyUsed(f, func(name string) bool {
		called, is := strings.CutPrefix(name, calledMark)
		changes = changes || is && called == "(-x)"
		return is && !keepingSigns[called]
	}) && changes
}

// anyUsed reports whether a function or one that it uses has a name of some kind.
func (r *reader) anyUsed(f *starlark.Function, is func(name string) bool) bool {
	at := f.Position()
	file := at.Filename()
	return r.anyOf(file, r.uses[file].functions[spot{at.Line, at.Col}], is, map[string]bool{})
}

func (r *reader) anyOf(file string, used []string, is func(name string) bool, seen map[string]bool) bool {
	for _, name := range used {
		if called, ok := strings.CutPrefix(name, calledMark); ok {
			if _, global := r.uses[file].globals[called]; global {
				continue // the name itself is looked at
			}
		}
		of, global := r.uses[file].globals[name]
		if seen[file+"\x00"+name] {
			continue
		}
		seen[file+"\x00"+name] = true
		from := file
		if other, ok := r.uses[file].loaded[name]; ok {
			from = path.Join(path.Dir(file), other)
			of = r.uses[from].globals[of[0]]
		}
		if !global && is(name) || global && r.anyOf(from, of, is, seen) {
			return true
		}
	}
	return false
}
