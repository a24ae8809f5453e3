package types

// instanceWork is the work of making an instance of a template, apart from what is
// checked in it.
const instanceWork = 256

// candidateWork is the work of finding out whether a function can be called so.
const candidateWork = 4

// conversionWork is the work of finding out how a value becomes one of another class.
const conversionWork = 32

// inlinedWork is the work that an expression makes each time it is lowered.
const inlinedWork = 4

// chargeKernels counts what the entry points become when calls become part of their
// callers. Each function is looked at once, however often it is called.
func (c *checker) chargeKernels() {
	if len(c.errs) > 0 {
		return
	}
	known := map[*Func]int{}
	for _, k := range c.prog.Kernels {
		c.spend(k.Pos, inlinedWork*inlinedSize(k, known))
	}
}

// inlinedSize is the number of expressions of a function with those of the functions
// that it calls, as often as it calls them; those of large values count by words.
func inlinedSize(f *Func, known map[*Func]int) int {
	const most = 1 << 40
	if n, ok := known[f]; ok || f.Body == nil {
		return n
	}
	n := 0
	Walk(f.Body, func(e Expr) {
		n++
		switch e := e.(type) {
		case *Load:
			n += min(e.Type().Size()/4, maxParts)
		case *Call:
			n += inlinedSize(e.Func, known)
		}
		n = min(n, most)
	})
	known[f] = n
	return n
}
