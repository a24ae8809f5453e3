package types

// Recursion. A function that calls itself in tail position alone is a loop (tail_call.go).
// Calls of others become part of their caller until constants end the recursion, for
// which a caller has to pass one: without any, nothing could.

// recursion checks the calls that lead back to a function that is being called, and marks
// the functions around them.
func (c *checker) recursion(back []callSite, reached []*Func) {
	refused := map[*Func]bool{}
	for _, call := range back {
		if f := call.callee; !refused[f] && !c.boundedFrom(f, reached) {
			refused[f] = true
			c.errorf(call.pos, codeRecursion, "recursion is not supported unless constants end it: this call of %s leads back to it, "+
				"which becomes part of a caller that passes no constant", f.Name)
		}
	}
	for _, f := range reached {
		f.Reentered = true
	}
}

// boundedFrom reports whether every call of f from outside of its recursion passes a constant.
func (c *checker) boundedFrom(f *Func, reached []*Func) bool {
	within := map[*Func]bool{}
	list := []*Func{f}
	for len(list) > 0 {
		last := list[len(list)-1]
		if list = list[:len(list)-1]; within[last] {
			continue
		}
		within[last] = true
		for _, call := range c.calls[last] {
			list = append(list, call.callee)
		}
	}
	bounded := true
	for _, from := range reached {
		if within[from] || from.Body == nil {
			continue
		}
		walkCalls(from.Body, func(call *Call) {
			bounded = bounded && (call.Func != f || passesConstant(call))
		})
	}
	return bounded
}

// passesConstant reports whether an argument by value is an integer constant.
func passesConstant(call *Call) bool {
	for i, a := range call.Args {
		if k, ok := a.(*Const); ok && isIntegral(k.typ) && !call.Func.Params[i].Ref {
			return true
		}
	}
	return false
}
