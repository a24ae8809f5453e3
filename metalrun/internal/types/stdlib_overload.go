package types

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Which function of the library a call means is decided as C++ decides it:
// every row of the name declares a function for each type of its class, the
// call may use those whose parameters its arguments convert to, and the one
// that converts each argument at least as well as every other, and some
// argument better, is called. So max(x, 1) is ambiguous for a float x, since
// max(float, float) fits x better and max(int, int) the literal, while
// pow(x, 2) is not, since pow has no integer form.

// candidate is one function of the library that a call may mean.
type candidate struct {
	sig     *signature
	t       hir.Type // what T stands for
	variant string   // the namespace that it is of, "" for metal itself
	ranks   []int
}

// better compares candidates as C++ does.
func (a candidate) better(b candidate) bool {
	some := false
	for i := range a.ranks {
		if a.ranks[i] > b.ranks[i] {
			return false
		}
		some = some || a.ranks[i] < b.ranks[i]
	}
	return some
}

func (a candidate) String() string {
	names := make([]string, len(a.ranks))
	for i := range names {
		names[i] = a.sig.params[i].word.in(a.t).String()
	}
	return fmt.Sprintf("%s(%s)", inVariant(a.variant, a.sig.name), strings.Join(names, ", "))
}

// builtinCall checks a call of the library's function name, in any of the namespaces
// variants ("precise", "fast" or ""). It reports false if the library has no
// such function; the expression is nil after an error.
func (c *checker) builtinCall(pos syntax.Pos, name string, variants []string, targs []templateArg,
	args []operand) (hir.Expr, bool) {
	found, known := c.libraryCandidates(pos, name, variants, targs, args)
	if len(found) == 0 {
		return nil, known
	}
	best, rival := choose(found)
	if rival != nil {
		c.errorf(pos, codeAmbiguousCall, "call to '%s' is ambiguous with (%s): %s and %s fit equally well", name,
			describeAll(args), best, *rival)
		return nil, true
	}
	return c.applyBuiltin(pos, best, args), true
}

// libraryCandidates are the functions of the library that a call may mean, none after an error. It reports false if
// the library has no such function.
func (c *checker) libraryCandidates(pos syntax.Pos, name string, variants []string, targs []templateArg,
	args []operand) (found []candidate, known bool) {
	sigs := library()[name]
	if sigs == nil {
		return nil, false
	}
	if slices.ContainsFunc(args, operand.bad) {
		return nil, true
	}
	for _, a := range args {
		if a.list != nil || a.fns != nil {
			c.errorf(a.at(), codeBuiltinArgument, "%s cannot be an argument of %s", a.describe(), name)
			return nil, true
		}
	}
	explicit, ok := c.builtinTemplateArgs(pos, name, targs)
	if !ok {
		return nil, true
	}
	for _, v := range variants {
		named, ok := c.available(pos, sigs, name, v)
		if !ok {
			return nil, true
		}
		found = append(found, candidates(named, explicit, v, args)...)
	}
	if len(found) == 0 {
		named, _ := c.available(pos, sigs, name, variants[0])
		c.errorf(pos, codeNoBuiltin, "%s", noCandidate(named, variants[0], args))
	}
	return found, true
}

// available drops the rows that the namespace or the language version lacks.
func (c *checker) available(pos syntax.Pos, sigs []*signature, name, precision string) ([]*signature, bool) {
	var named, now []*signature
	for _, s := range sigs {
		if precision == "" || s.row.prec {
			named = append(named, s)
			if s.row.since <= c.cfg.Version {
				now = append(now, s)
			}
		}
	}
	if named == nil {
		c.errorf(pos, codeNoVariant, "namespace %s has no function %s", precision, name)
		return nil, false
	}
	if now == nil {
		c.since(named[0].row.since, pos, name)
		return nil, false
	}
	return now, true
}

// builtinTemplateArgs reads the explicit arguments of make_filled_simdgroup_matrix<T, 8, 8> and of
// the functions that exchange data and those of atomic objects, which are templates of T in the library. It gives
// T, or nil where there is none.
func (c *checker) builtinTemplateArgs(pos syntax.Pos, name string, targs []templateArg) (hir.Type, bool) {
	if name != filledMatrix {
		if len(targs) == 1 && targs[0].typ != nil && isTemplateOfOne(name) {
			return targs[0].typ, true
		}
		if len(targs) > 0 {
			c.errorf(pos, codeNotTemplate, "%s takes no template arguments", name)
			return nil, false
		}
		return nil, true
	}
	if len(targs) < 2 || len(targs) > 3 || targs[0].typ == nil {
		c.errorf(pos, codeSimdgroupMatrix,
			"%s takes its element type, columns and rows as template arguments: %s<float, 8, 8>", name, name)
		return nil, false
	}
	for _, size := range targs[1:] {
		if size.typ != nil || size.bits != 8 {
			c.errorf(pos, codeSimdgroupMatrix, "a simdgroup matrix has 8 columns and 8 rows")
			return nil, false
		}
	}
	k, ok := targs[0].typ.(hir.Kind)
	if !ok || !matrixElems.kinds.has(k) {
		c.errorf(pos, codeSimdgroupMatrix, "the elements of a simdgroup matrix are half, bfloat or float, not %s",
			targs[0].typ)
		return nil, false
	}
	return k, true
}

// isTemplateOfOne reports whether the library declares the function name for all types at once.
func isTemplateOfOne(name string) bool {
	return slices.ContainsFunc([]string{"simd_", "quad_", "atomic_"},
		func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

const filledMatrix = "make_filled_simdgroup_matrix"

// exactRanks are those of arguments that need no conversion.
var exactRanks [8]int

// candidates lists the functions that the arguments fit: where one fits exactly, those that do.
func candidates(sigs []*signature, explicit hir.Type, precision string, args []operand) []candidate {
	var found []candidate
	var ranks [8]int
	exact := false
	for _, s := range sigs {
		if len(args) < s.required || len(args) > len(s.params) {
			continue
		}
		for _, t := range s.types {
			if precision != "" && hir.ElemOf(t) != hir.Float || explicit != nil && t != explicit {
				continue
			}
			fits, same := s.fit(t, args, &ranks)
			if !fits || exact && !same {
				continue
			}
			if same && !exact {
				exact, found = true, found[:0]
			}
			of := exactRanks[:len(args)]
			if !same {
				of = slices.Clone(ranks[:len(args)])
			}
			found = append(found, candidate{s, t, precision, of})
		}
	}
	return found
}

// fit grades the conversion of each argument; fits is false if one is impossible, and
// same true if none is needed.
func (s *signature) fit(t hir.Type, args []operand, ranks *[8]int) (fits, same bool) {
	same = true
	for i, a := range args {
		r, ok := s.params[i].rank(t, a)
		if !ok {
			return false, false
		}
		ranks[i] = r
		same = same && r == exactRank
	}
	return true, same
}

func (p *param) rank(t hir.Type, a operand) (int, bool) {
	to, from := p.word.in(t), decayed(a)
	switch {
	case p.ref:
		return exactRank, a.lvalue && !a.const_ && !a.volatile && a.space == p.space && a.noAddr == "" &&
			hir.Identical(a.typ(), to)
	case p.ptr:
		return standardRank(from, &hir.Pointer{Elem: to, Space: p.space, Const: p.ro, Volatile: true}, false)
	case to == anySimdMatrix:
		_, ok := from.(hir.SimdMatrix)
		return exactRank, ok
	}
	r, ok := standardRank(from, to, false)
	if _, wide := to.(hir.Vector); wide && hir.ScalarKind(from) != hir.Void {
		r = splatRank
	}
	return r, ok
}

// decayed is the type of the operand's value: an array is a pointer to its first element.
func decayed(a operand) hir.Type {
	if t, ok := a.typ().(*hir.Array); ok && a.lvalue {
		return pointerTo(qual{typ: t.Elem, space: a.space, isConst: a.const_, volatile: a.volatile})
	}
	return a.typ()
}

// choose finds the candidate that is better than all others, or two that rival
// each other.
func choose(found []candidate) (best candidate, rival *candidate) {
	best = found[0]
	for _, f := range found[1:] {
		if f.better(best) {
			best = f
		}
	}
	for i := range found {
		f := &found[i]
		same := f.sig == best.sig && f.t == best.t && f.variant == best.variant
		if !same && !best.better(*f) {
			return best, f
		}
	}
	return best, nil
}

// noCandidate says why no function of the library fits.
func noCandidate(sigs []*signature, precision string, args []operand) string {
	name := sigs[0].name
	least, most := len(sigs[0].params), 0
	for _, s := range sigs {
		least, most = min(least, s.required), max(most, len(s.params))
	}
	if n := len(args); n < least || n > most {
		want := plural(most, "argument")
		if least < most {
			want = fmt.Sprintf("%d to %d arguments", least, most)
		}
		return fmt.Sprintf("no matching function for call to '%s': requires %s, but %s", name, want, provided(n))
	}
	if why := referenceFault(sigs, args); why != "" {
		return why
	}
	var forms []string
	for _, s := range sigs {
		form := s.row.sig
		if s.row.over != none {
			over := s.row.over
			if precision != "" {
				over.kinds &= kindsOf(hir.Float)
			}
			form += " with T " + over.String()
		}
		forms = append(forms, form)
	}
	return fmt.Sprintf("no matching function for call to '%s' with (%s): the library has %s", name, describeAll(args),
		strings.Join(forms, "; "))
}

// referenceFault explains an argument that a reference parameter cannot bind to.
func referenceFault(sigs []*signature, args []operand) string {
	if len(sigs) != 1 {
		return ""
	}
	for i, a := range args {
		switch p := sigs[0].params[i]; {
		case !p.ref:
		case !a.lvalue:
			return fmt.Sprintf("%s stores a result in its argument %d, which has to be a variable", sigs[0].name, i+1)
		case a.noAddr != "":
			return fmt.Sprintf("%s stores a result in its argument %d, which cannot be %s", sigs[0].name, i+1, a.noAddr)
		case a.space != p.space:
			return fmt.Sprintf("%s stores a result in its argument %d, which has to be in %s memory and is in "+
				"%s memory", sigs[0].name, i+1, p.space, a.space)
		case a.const_:
			return fmt.Sprintf("%s stores a result in its argument %d, which is const", sigs[0].name, i+1)
		}
	}
	return ""
}

func describeAll(args []operand) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = decayed(a).String()
	}
	return strings.Join(names, ", ")
}

// applyBuiltin converts the arguments and makes the call; nil after an error.
func (c *checker) applyBuiltin(pos syntax.Pos, f candidate, args []operand) hir.Expr {
	precision := f.variant
	if precision == "" && c.cfg.FastFunctions && f.sig.row.prec && hir.ElemOf(f.t) == hir.Float {
		precision = "fast"
	}
	call := &hir.BuiltinCall{Node: hir.At(pos, f.sig.result.in(f.t)), Name: f.sig.name, Precision: precision,
		Math: c.math}
	for i := range f.sig.params {
		p := &f.sig.params[i]
		var arg hir.Expr
		if i < len(args) {
			arg = c.builtinArg(p, p.word.in(f.t), args[i])
		} else {
			arg = p.defaultValue(pos)
		}
		if arg == nil {
			return nil
		}
		if p.consts && !c.internal {
			k, ok := c.eval.Scalar(arg)
			if !ok {
				at, why := c.whyNotConstant(arg)
				c.errorf(at, codeNotConstant, "argument %s of %s has to be a constant: %s", p.name, f.sig.name, why)
				return nil
			}
			arg = k
		}
		call.Args = append(call.Args, arg)
	}
	if f.sig.row.check != nil && !c.internal {
		if why := f.sig.row.check(call); why != "" {
			c.errorf(pos, codeBuiltinArgument, "%s", why)
			return nil
		}
	}
	return call
}

// builtinArg is the argument for parameter p, whose type is to.
func (c *checker) builtinArg(p *param, to hir.Type, a operand) hir.Expr {
	if p.ref {
		return a.expr
	}
	e := c.rvalue(a)
	switch {
	case e == nil:
		return nil
	case to == anySimdMatrix:
		return e
	case p.ptr:
		from := e.Type().(*hir.Pointer)
		to = &hir.Pointer{Elem: to, Space: p.space, Const: p.ro || from.Const, Volatile: from.Volatile}
	}
	return c.convert(e, to, e.Pos())
}

// defaultValue is the constant that stands for an argument left out.
func (p *param) defaultValue(pos syntax.Pos) hir.Expr {
	bits, err := strconv.ParseUint(p.def, 0, 64)
	if err != nil {
		bits = 0 // false
	}
	if v, ok := p.word.fixed.(hir.Vector); ok {
		return &hir.Convert{Node: hir.At(pos, v), X: &hir.Const{Node: hir.At(pos, v.Elem), Bits: bits}}
	}
	return &hir.Const{Node: hir.At(pos, p.word.fixed), Bits: bits}
}

// Where a call may mean functions of the program and of the library, all of them are candidates of one overload
// resolution: conversions decide; among equal ones, a function that is no template wins against a template; among
// templates, the more special one wins.

// againstLibrary decides between functions of the program and those of the library that are visible in addition to
// them. done is false if the program's are to be called.
func (c *checker) againstLibrary(pos syntax.Pos, set *funcSet, name string, variants []string, targs []templateArg,
	hasTargs bool, args []operand) (op operand, done bool) {
	c.spend(pos, candidateWork*len(set.list))
	c.at = pos
	var own []contender
	c.attempt(func() {
		for _, f := range set.list {
			if k, ok := c.contend(f, nil, targs, hasTargs, args); ok {
				own = append(own, k)
			}
		}
	})
	var lib []candidate
	c.attempt(func() { lib, _ = c.libraryCandidates(pos, name, variants, targs, c.libraryArguments(args)) })
	for i, a := range args {
		if _, converted := a.typ().(*hir.Struct); !converted {
			continue
		}
		for k := range lib {
			lib[k].ranks = slices.Clone(lib[k].ranks)
			lib[k].ranks[i] = userRank
		}
	}
	switch {
	case len(lib) == 0 && len(own) > 0:
		return operand{}, false
	case len(lib) == 0:
		c.errorf(pos, codeNoMatch, "no function %s takes (%s), neither the program's nor the standard library's", name,
			describeArgs(args))
		return operand{}, true
	case len(own) == 0:
		return c.libraryCall(pos, name, variants, targs, args), true
	}
	for i, k := range own {
		if c.beatsAll(k, own, i) && !slices.ContainsFunc(lib, func(l candidate) bool { return compare(k, l) <= 0 }) {
			return operand{}, false
		}
	}
	for _, l := range lib {
		if !slices.ContainsFunc(own, func(k contender) bool { return compare(k, l) >= 0 }) {
			return c.libraryCall(pos, name, variants, targs, args), true
		}
	}
	c.errorf(pos, codeAmbiguousCall,
		"call to '%s' is ambiguous: the program's function and the one of the standard library fit (%s) equally well",
		name, describeArgs(args)).
		Note(namePos(own[0].r.decl), "candidate function")
	return operand{}, true
}

// beatsAll reports whether k, number i of the list, is better than all others.
func (c *checker) beatsAll(k contender, list []contender, i int) bool {
	for j, other := range list {
		if j != i && !c.better(k, other) {
			return false
		}
	}
	return true
}

// compare is positive if a function of the program is better than one of the library for a call, negative if it is
// worse, and 0 if neither is better.
func compare(k contender, l candidate) int {
	better, worse := false, false
	for i := range min(len(k.ranks), len(l.ranks)) {
		rank := k.ranks[i]
		if rank == qualifierRank && k.refers(i) && !l.sig.params[i].ref {
			rank = exactRank
		}
		better, worse = better || rank < l.ranks[i], worse || rank > l.ranks[i]
	}
	switch own, template := k.r.of.isTemplate(), l.isTemplate(); {
	case better != worse && better:
		return 1
	case better != worse:
		return -1
	case better || !own && !template:
		return 0
	case !own:
		return 1
	case !template:
		return -1
	}
	for i, p := range l.sig.params[:min(len(l.sig.params), len(k.r.of.decl.Params))] {
		general, libraryGeneral := isParameter(k.r.of.decl, i, p.ptr), p.word.follows == "T"
		better, worse = better || libraryGeneral && !general, worse || general && !libraryGeneral
	}
	switch {
	case better && !worse:
		return 1
	case worse && !better:
		return -1
	}
	return 0
}

// isParameter reports whether parameter i of a function template, or what it points to, has the type that a parameter
// of the template stands for.
func isParameter(d *syntax.FuncDecl, i int, pointer bool) bool {
	x := stripReference(d.Params[i].Type)
	if p, ok := x.(*syntax.PointerType); ok && pointer {
		x = p.Elem
	}
	if q, ok := x.(*syntax.QualType); ok {
		x = q.Base
	}
	n, ok := x.(*syntax.NamedType)
	return ok && newBinding(d.Template, nil).index(n.Name) >= 0
}

// isTemplate reports whether the library's headers declare a function as a template, and not for each type: those that
// exchange data between lanes, those of atomic objects and simdgroup matrices, and what takes bfloat.
func (f candidate) isTemplate() bool {
	return f.sig.row.over != none &&
		(isTemplateOfOne(f.sig.name) || strings.Contains(f.sig.name, "simdgroup_") || hir.ElemOf(f.t) == hir.BFloat)
}
