package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// instanceWork is the work of making an instance of a template, apart from what is
// checked in it.
const instanceWork = 256

// expressionWork is the work of an expression: one in a template, a default argument or a member is checked wherever
// it is used, when nothing is paid for its tokens.
const expressionWork = 4

// declarationWork is the work of a declaration, apart from what is checked in it: a scope with its tables takes
// kilobytes, a variable or a type of another name some hundred bytes.
const (
	declarationWork = 16
	scopeWork       = 192
)

// candidateWork is the work of finding out whether a function can be called so.
const candidateWork = 6

// deductionWork is what it takes beyond that if the function is a template.
const deductionWork = 16

// argumentWork is the work of an argument of a template that is left out, apart from what is checked in it.
const argumentWork = 32

// packWork is the work of a parameter that a pack becomes, with the argument for it.
const packWork = 128

// expansionWork is the work of an element that a pack in a list becomes: a scope with its table, what the pattern means
// in it, and a place in each list of arguments on its way.
const expansionWork = 32

// elementWork is the work of an element of a pack whose pattern is just its name: an entry in each list of arguments
// that passes it on.
const elementWork = 8

// specialWork is the work of matching a specialisation with an argument.
const specialWork = 32

// conversionWork is the work of finding out how a value becomes one of another class.
const conversionWork = 32

// defaultWork is the work of an argument that a call leaves out, and memberWork that of a member that initialises
// itself, with the assignment that it becomes, apart from what is checked in them.
const (
	defaultWork = 4
	memberWork  = 16
)

// Work of code that the source does not spell out: copies of the members of an object one by one, and the ends of
// objects wherever their scope is left.
const (
	partWork    = 4
	destroyWork = 16
)

// What a step looks at.
const (
	searchesPerStep = 2  // namespaces and classes in a search
	rivalsPerStep   = 2  // functions that a declaration may be one of
	paramsPerStep   = 16 // parameters that a call may leave out
	specialsPerStep = 16 // specialisations that another may be a declaration of
	elementsPerStep = 16 // elements that one value is for
	nodesPerStep    = 16 // of a body in which names are looked for
	bytesPerStep    = 16 // of types that are compared as they are written, and of names with those around them
)

// inlinedWork is the work that an expression makes each time it is lowered.
const inlinedWork = 4

// mostWords are as many words of a value as count.
const mostWords = 4096

// instructionWork is the work of a budget for each instruction that a kernel may become: to
// rewrite, schedule and launch straight code takes ten times as long as to check it, and a
// register for each takes a kilobyte. The longest kernel of MLX becomes 10,000.
const instructionWork = 256

// chargeKernels counts what the functions of entry points become, each once, and notes what each entry point becomes
// when calls become part of their callers. One of them may take no more than the whole compilation.
func (c *checker) chargeKernels() {
	if len(c.errs) > 0 {
		return
	}
	s := sizes{inlined: map[*hir.Func]int{}, below: map[*hir.Func]int{}, most: c.cfg.Budget.Limits.Of(syntax.Depth)}
	for _, k := range c.prog.Kernels {
		before := s.own
		k.Kernel.Work = inlinedWork * s.of(k)
		if s.exceeded {
			c.stop(k.Pos, codeTooLarge, "%s", c.cfg.Budget.Limits.Exceeded(syntax.Depth,
				"expressions nest deeper than %d, with those of the functions that they call"))
		}
		k.Kernel.Instructions = c.cfg.Budget.Limit() / instructionWork
		alone := syntax.Budget{All: c.cfg.Budget.All}
		if err := alone.Spend(k.Pos, k.Kernel.Work); err != nil {
			c.stop(k.Pos, err.Code, "%s", err.Msg)
		}
		c.spend(k.Pos, inlinedWork*(s.own-before))
	}
}

// sizes are numbers of expressions; those of large values count by words.
type sizes struct {
	inlined map[*hir.Func]int // with those of the functions that it calls, as often as it calls them
	own     int               // of all functions together, each once

	below    map[*hir.Func]int // how deep expressions of a function nest, with those of the functions that it calls
	above    int               // how deep the function that is looked at is inside of others
	most     int               // that it may be with what is below it
	exceeded bool
}

// of is the number of expressions of a function with those of the functions that it calls.
func (s *sizes) of(f *hir.Func) int {
	const most = 1 << 40
	n, ok := s.inlined[f]
	if s.exceeded = s.exceeded || s.above+max(s.below[f], f.Depth) > s.most; ok || s.exceeded || f.Body == nil {
		return n
	}
	s.inlined[f] = 0 // in its own recursion, which lowering counts
	s.above += f.Depth
	below := 0
	call := func(of *hir.Func) int {
		n := s.of(of)
		below = max(below, s.below[of])
		return n
	}
	hir.Walk(f.Body, func(e hir.Expr) {
		s.own++
		n++
		switch e := e.(type) {
		case *hir.Load:
			words := min(e.Type().Size()/4, mostWords)
			s.own += words
			n += words
		case *hir.Call:
			n += call(e.Func)
		case *hir.PointerCall:
			for _, target := range e.Targets.List {
				n += call(target)
			}
		}
		n = min(n, most)
	})
	s.above -= f.Depth
	s.inlined[f], s.below[f] = n, below+f.Depth
	return n
}
