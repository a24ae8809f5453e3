package types

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A contender is a function that a call may mean, with how well each argument fits.
type contender struct {
	r     *routine
	ranks []int
}

// overload finds the function of a set that a call means, or reports why there
// is none. obj is the object of a member call, or of the member function that
// the call stands in.
func (c *checker) overload(pos syntax.Pos, set *funcSet, obj *operand, targs []templateArg, hasTargs bool,
	args []operand) *routine {
	c.spend(pos, candidateWork*len(set.list))
	c.at = pos
	var list []contender
	for _, f := range set.list {
		if k, ok := c.contend(f, obj, targs, hasTargs, args); ok {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		c.reportNoMatch(pos, set, obj, targs, hasTargs, args)
		return nil
	}
	best := 0
	for i := range list {
		if i != best && c.better(list[i], list[best]) {
			best = i
		}
	}
	for i := range list {
		if i != best && !c.better(list[best], list[i]) {
			c.ambiguous(pos, fmt.Sprintf("call to '%s' is ambiguous: several functions fit (%s) equally well", set.name,
				describeArgs(args)), list[best].r, list[i].r)
			return nil
		}
	}
	return list[best].r
}

// contend tells whether f can be called so.
func (c *checker) contend(f *function, obj *operand, targs []templateArg, hasTargs bool, args []operand) (contender,
	bool) {
	d := f.decl
	c.spend(c.at, len(d.Params)/paramsPerStep)
	if len(args) > len(d.Params) && !isVariadic(d) || len(args) < c.required(f) {
		return contender{}, false
	}
	var r *routine
	switch {
	case f.isTemplate():
		c.spend(c.at, deductionWork)
		if r = c.deduceCall(f, targs, args); r == nil {
			return contender{}, false
		}
	case hasTargs:
		return contender{}, false
	default:
		if r = f.plain; r == nil {
			c.suppress()
			return contender{}, false
		}
	}
	k := contender{r: r}
	if f.owner != nil && !f.isConstructor() {
		n := exactRank
		if !f.isStatic() {
			if obj == nil {
				return k, false
			}
			var ok bool
			if n, ok = c.thisRank(r, *obj); !ok {
				return k, false
			}
		}
		k.ranks = append(k.ranks, n)
	}
	for i, a := range args {
		n, ok := c.rank(a, r.params[i])
		if !ok {
			return k, false
		}
		k.ranks = append(k.ranks, n)
	}
	return k, true
}

// required is the number of arguments that a call cannot leave out.
func (c *checker) required(f *function) int {
	n := minArgs(f.decl)
	if f.def != nil && f.def != f.decl {
		n = min(n, minArgs(f.def))
	}
	return n
}

// better reports whether a is to be called rather than b: no argument fits
// worse and one better; or all alike, and a is no template or the more special one.
func (c *checker) better(a, b contender) bool {
	some := false
	for i := range min(len(a.ranks), len(b.ranks)) {
		ar, br := a.rankBeside(b, i), b.rankBeside(a, i)
		if ar > br {
			return false
		}
		some = some || ar < br
	}
	if some {
		return true
	}
	if more, fewer := rvalueBindings(a, b), rvalueBindings(b, a); more != fewer {
		return more
	}
	at, bt := a.r.of.isTemplate(), b.r.of.isTemplate()
	switch {
	case !at && bt:
		return true
	case at && !bt || !at:
		return false
	}
	ab, ba := c.specialises(a.r.of, b.r.of), c.specialises(b.r.of, a.r.of)
	if ab == ba && a.r.of.implicit != b.r.of.implicit {
		return b.r.of.implicit
	}
	if ab && ba { // one template declared twice: the definition counts
		return a.r.def != nil && b.r.def == nil
	}
	return ab
}

// rankBeside is how well argument i fits a next to b: const that a reference adds counts against another reference
// only.
func (a contender) rankBeside(b contender, i int) int {
	if a.ranks[i] == qualifierRank && a.refers(i) && !b.refers(i) {
		return exactRank
	}
	return a.ranks[i]
}

// refers reports whether argument i, or the object of a member function, is bound to a reference.
func (a contender) refers(i int) bool {
	if a.r.of.owner != nil && !a.r.of.isConstructor() {
		i--
	}
	return i < 0 || i < len(a.r.params) && a.r.params[i].ref
}

// rvalueBindings reports whether a binds an argument as T&& that b binds as T&.
func rvalueBindings(a, b contender) bool {
	for i, p := range a.r.params {
		if i < len(b.r.params) && p.rvalueRef && b.r.params[i].ref && !b.r.params[i].rvalueRef {
			return true
		}
	}
	return false
}

// ambiguous reports that two functions fit a call equally well.
func (c *checker) ambiguous(pos syntax.Pos, msg string, rivals ...*routine) {
	e := c.errorf(pos, codeAmbiguousCall, "%s", msg)
	for _, r := range rivals {
		e.Note(namePos(r.decl), "candidate function")
	}
}

// maxCandidates bounds the notes about functions that a call could not mean.
const maxCandidates = 8

// reportNoMatch says why no function of the set can be called so: the error stands at
// the call, and each candidate has a note. The code is that of the reason if there is
// only one candidate.
func (c *checker) reportNoMatch(pos syntax.Pos, set *funcSet, obj *operand, targs []templateArg, hasTargs bool,
	args []operand) {
	code := codeNoMatch
	var notes []syntax.Note
	for _, f := range set.list {
		if f.faulty() {
			c.suppress()
			return // a declaration in error, reported there
		}
	}
	what := "function"
	if set.list[0].isConstructor() {
		what = "constructor"
	}
	msg := fmt.Sprintf("no matching %s for call to '%s' with (%s)", what, set.name, describeArgs(args))
	if c.speculating > 0 { // the notes would be dropped
		c.errorf(pos, code, "%s", msg)
		return
	}
	for _, f := range set.list[:min(maxCandidates, len(set.list))] {
		why, reason := c.misfit(f, obj, targs, hasTargs, args)
		if len(set.list) == 1 {
			code = why
		}
		kind := "function"
		switch {
		case f.isTemplate():
			kind = "function template"
		case f.isConstructor():
			kind = "constructor"
		}
		notes = append(notes, syntax.Note{Pos: namePos(f.decl), Msg: "candidate " + kind + " " + reason})
	}
	e := c.errorf(pos, code, "%s", msg)
	if e == nil {
		return
	}
	if more := len(set.list) - maxCandidates; more > 0 {
		notes = append(notes, syntax.Note{Pos: pos, Msg: fmt.Sprintf("remaining %d candidates omitted", more)})
	}
	e.Notes = append(e.Notes, notes...)
}

// namePos is the place of a function's name in its declaration.
func namePos(d *syntax.FuncDecl) syntax.Pos {
	if d.Name != nil {
		return d.Name.Pos()
	}
	return d.Pos()
}

// misfit is the rule by which f cannot be called so, and the reason as a clause.
func (c *checker) misfit(f *function, obj *operand, targs []templateArg, hasTargs bool,
	args []operand) (code, reason string) {
	least, most := c.required(f), len(f.decl.Params)
	if n := len(args); n < least || n > most && !isVariadic(f.decl) {
		want := plural(most, "argument")
		switch {
		case isVariadic(f.decl):
			want = "at least " + plural(least, "argument")
		case least < most:
			want = fmt.Sprintf("%d to %d arguments", least, most)
		}
		return codeArgumentCount, fmt.Sprintf("not viable: requires %s, but %s", want, provided(n))
	}
	r := f.plain
	if f.isTemplate() {
		if r = c.deduceCall(f, targs, args); r == nil {
			return codeNoDeduction, "ignored: " + c.undeduced(f, targs, args)
		}
	} else if hasTargs {
		return codeNotTemplate, "not viable: it is no template"
	}
	if !f.isStatic() {
		if obj == nil {
			return codeNoObject, "not viable: it is a member function and there is no object to call it on"
		}
		if !c.accepts(r, *obj) {
			return codeThisSpace,
				fmt.Sprintf("not viable: it is for %s objects, the object here is %s: member functions have an "+
					"address space and const of their own",
					qualText(r.thisQual()), qualText(qual{space: obj.space, isConst: obj.const_}))
		}
	}
	for i, a := range args {
		if _, ok := c.rank(a, r.params[i]); !ok {
			code, why := c.unconvertible(a, r.params[i])
			return code, fmt.Sprintf("not viable: no known conversion from '%s' to '%s' for %s argument%s",
				describeArgs(args[i:i+1]), r.params[i], ordinal(i+1), why)
		}
	}
	return codeNoMatch, "not viable"
}

// unconvertible is the rule by which op cannot become an argument of type q, and what
// the rule says about it.
func (c *checker) unconvertible(op operand, q qual) (code, why string) {
	var first *syntax.Error
	saved, quiet, muffled, seen := c.errs, c.speculating, c.suppressed, c.seen
	c.errs, c.speculating, c.seen = nil, 0, map[fault]bool{}
	c.argument(op, q)
	if len(c.errs) > 0 {
		first = c.errs[0]
	}
	c.errs, c.speculating, c.suppressed, c.seen = saved, quiet, muffled, seen
	if first == nil {
		return codeNoMatch, ""
	}
	if _, after, ok := strings.Cut(first.Msg, ": "); ok {
		why = ": " + after
	}
	return first.Code, why
}

// provided is how many arguments a call has.
func provided(n int) string {
	if n == 1 {
		return "1 was provided"
	}
	return fmt.Sprintf("%d were provided", n)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}

func qualText(q qual) string {
	text := q.space.String()
	if text == "" {
		text = "thread"
	}
	if q.isConst && q.space != syntax.Constant {
		text = "const " + text
	}
	return text
}

// Overloaded operators

// overloadedBinary calls operator op for operands of struct type; done is
// false if the language's own operator is meant.
func (c *checker) overloadedBinary(pos syntax.Pos, op string, a, b operand, assignment bool) (r operand, done bool) {
	if !c.hasStruct(a) && !c.hasStruct(b) {
		return operand{}, false
	}
	name := "operator" + op
	set, unknown := &funcSet{name: name}, false
	if s, ok := a.typ().(*hir.Struct); ok {
		if op == "=" && c.assignsMembers(pos, s, &a, b) {
			return operand{}, false
		}
		if m := c.methods(s, name); m != nil {
			member := c.memberOperators(m, &a, b)
			if unknown = m.faulty(1); member != nil {
				set.list = append(set.list, m.list...)
			}
		}
	}
	if op == "=" {
		if len(set.list) == 0 {
			return operand{}, false
		}
		return c.call(pos, set, &a, nil, false, []operand{b}), true
	}
	free := c.freeOperators(name, []operand{a, b})
	var fr, mr *routine
	var mk, fk contender
	if len(set.list) > 0 {
		c.attempt(func() { mr = c.overload(pos, set, &a, nil, false, []operand{b}) })
	}
	if free != nil {
		c.attempt(func() { fr = c.overload(pos, free, nil, nil, false, []operand{a, b}) })
	}
	switch {
	case mr == nil && fr == nil && unknown:
		c.suppress()
		return operand{}, true
	case mr == nil && fr == nil:
		return c.builtinOperator(pos, op, a, b, assignment)
	case mr != nil && fr != nil:
		mk, _ = c.contend(mr.of, &a, nil, false, []operand{b})
		fk, _ = c.contend(fr.of, nil, nil, false, []operand{a, b})
		switch {
		case c.better(mk, fk):
			fr = nil
		case c.better(fk, mk):
			mr = nil
		default:
			c.ambiguous(pos, fmt.Sprintf("use of overloaded operator '%s' is ambiguous (with operand types %s)", op,
				quotedArgs([]operand{a, b})), mr, fr)
			return operand{}, true
		}
	}
	if mr != nil {
		if !c.permitFunction(pos, nil, &a, mr) {
			return operand{}, true
		}
		return c.invoke(pos, mr, &a, []operand{b}), true
	}
	return c.invoke(pos, fr, nil, []operand{a, b}), true
}

func (c *checker) hasStruct(op operand) bool {
	switch t := op.typ().(type) {
	case *hir.Struct:
		return true
	case *hir.Enum:
		return t.Scoped
	}
	return false
}

// faulty reports whether one of the functions with so many parameters was declared with an error: nobody knows what it
// takes.
func (s *funcSet) faulty(parameters int) bool {
	return s != nil && slices.ContainsFunc(s.list,
		func(f *function) bool { return f.faulty() && len(f.decl.Params) == parameters })
}

func (f *function) faulty() bool { return f.plain == nil && !f.isTemplate() || f.decl.Broken }

// memberOperators is the set if one of its functions can be called on the object.
func (c *checker) memberOperators(set *funcSet, obj *operand, arg operand) *funcSet {
	for _, f := range set.list {
		if _, ok := c.contend(f, obj, nil, false, []operand{arg}); ok {
			return set
		}
	}
	return nil
}

// freeOperators finds the operator functions outside of structs.
func (c *checker) freeOperators(name string, args []operand) *funcSet {
	set, _ := c.lookupFree(name).(*funcSet)
	return c.associated(name, set, args)
}

// lookupFree finds a name past the members of structs.
func (c *checker) lookupFree(name string) entity {
	for s := c.scope; s != nil; s = s.parent {
		if s.kind == structScope {
			continue
		}
		if e := c.member(s, name); e != nil {
			return e
		}
	}
	return nil
}

// builtinOperator applies the language's operator to what a struct converts to.
func (c *checker) builtinOperator(pos syntax.Pos, op string, a, b operand, assignment bool) (operand, bool) {
	if assignment {
		if _, ok := b.typ().(*hir.Struct); ok && !c.hasStruct(a) {
			if !c.assignable(a, pos) {
				return operand{}, true
			}
			if conv := c.operatorOperand(b, a); !c.hasStruct(conv) {
				return c.opAssign(pos, binaryOps[op[:len(op)-1]], a, conv), true
			}
		}
		c.errorf(pos, codeOperands, "invalid operands to binary expression (%s)", quotedArgs([]operand{a, b}))
		return operand{}, true
	}
	if _, scoped := a.typ().(*hir.Enum); scoped && hir.Identical(a.typ(), b.typ()) {
		return operand{}, false
	}
	if op == "&&" || op == "||" {
		return asValue(c.logical(pos, binaryOps[op], a, b)), true
	}
	ca, cb := c.operatorOperand(a, b), c.operatorOperand(b, a)
	if !c.hasStruct(ca) && !c.hasStruct(cb) {
		x := binaryOps[op]
		var e hir.Expr
		switch {
		case x >= hir.Eq && x <= hir.Ge:
			e = c.comparison(pos, x, ca, cb)
		default:
			e = c.arith(pos, x, ca, cb)
		}
		return asValue(e), true
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression (%s)", quotedArgs([]operand{a, b}))
	return operand{}, true
}

// operatorOperand converts a struct to the arithmetic type it stands for.
func (c *checker) operatorOperand(op, other operand) operand {
	if !c.hasStruct(op) {
		return op
	}
	if s, ok := op.typ().(*hir.Struct); ok && c.structs[s] != nil {
		if t := c.onlyConversion(c.structs[s]); t != nil {
			if e, ok := c.userConvert(op, t, op.at()); ok && e != nil {
				return value(e)
			}
		}
		want := []hir.Type{hir.Float, hir.Int, hir.Bool}
		if t := other.typ(); isArithmetic(t) {
			want = append([]hir.Type{t}, want...)
		}
		for _, t := range want {
			if e, ok := c.userConvert(op, t, op.at()); ok && e != nil {
				return value(e)
			}
		}
	}
	return op
}

// onlyConversion is the type that all conversion functions of a struct lead to, nil if
// they differ or are templates.
func (c *checker) onlyConversion(info *structInfo) hir.Type {
	var to hir.Type
	for _, f := range c.conversions(info) {
		if f.isTemplate() || f.plain == nil || to != nil && !hir.Identical(to, f.plain.result.typ) {
			return nil
		}
		to = f.plain.result.typ
	}
	return to
}

// overloadedUnary calls operator op for an operand of struct type.
func (c *checker) overloadedUnary(pos syntax.Pos, op string, a operand, postfix bool) (operand, bool) {
	if !c.hasStruct(a) || op == "&" {
		return operand{}, false
	}
	var extra []operand
	if postfix {
		extra = []operand{value(constant(pos, hir.Int, 0))}
	}
	name := "operator" + op
	if s, ok := a.typ().(*hir.Struct); ok {
		if m := c.methods(s, name); m != nil {
			var r *routine
			if c.attempt(func() { r = c.overload(pos, m, &a, nil, false, extra) }) && r != nil {
				if !c.permitFunction(pos, nil, &a, r) {
					return operand{}, true
				}
				return c.invoke(pos, r, &a, extra), true
			}
		}
	}
	args := append([]operand{a}, extra...)
	if free := c.freeOperators(name, args); free != nil {
		var r *routine
		if c.attempt(func() { r = c.overload(pos, free, nil, nil, false, args) }) && r != nil {
			return c.invoke(pos, r, nil, args), true
		}
	}
	if op == "++" || op == "--" || op == "*" {
		c.errorf(pos, codeOperands, "invalid argument type '%s' to unary expression", a.describe())
		return operand{}, true
	}
	if s, isStruct := a.typ().(*hir.Struct); isStruct && op == "!" && c.structs[s] != nil {
		if e, ok := c.userConvertAs(a, hir.Bool, pos, true); ok {
			return asValue(c.unary(pos, op, e)), true
		}
	}
	if op == "+" {
		if p, ok := c.lambdaValue(a, pos); ok {
			return p, true
		}
	}
	if conv := c.operatorOperand(a, operand{}); !c.hasStruct(conv) {
		return asValue(c.unary(pos, op, conv.expr)), true
	}
	c.errorf(pos, codeOperands, "invalid argument type '%s' to unary expression", a.describe())
	return operand{}, true
}

// overloadedIndex calls operator[] of a struct.
func (c *checker) overloadedIndex(op operand, s *hir.Struct, index operand, pos syntax.Pos) (operand, bool) {
	set := c.methods(s, "operator[]")
	if set == nil {
		return operand{}, false
	}
	return c.call(pos, set, &op, nil, false, []operand{index}), true
}
