package suite

import (
	"cmp"
	"sync/atomic"

	"metalconform/internal/budget"
)

// overrun is whether the cases so far took what the budget of a run has. Results are taken in the order of the cases:
// which cases are left out does not depend on how many are judged at once.
type overrun struct {
	why atomic.Pointer[budget.Exceeded]
}

// reason is nil while there is something left.
func (o *overrun) reason() *budget.Exceeded { return o.why.Load() }

// take takes what the case of a result took. That case is judged.
func (o *overrun) take(b *budget.Budget, r Result) {
	err := cmp.Or(b.Take(budget.Definitions, r.Defined), b.Take(budget.Steps, r.Steps))
	if why, over := err.(*budget.Exceeded); over && o.why.Load() == nil {
		o.why.Store(why)
	}
}

// unafforded is the result of a case that the budget leaves nothing for.
func unafforded(opts Options, c Case, why *budget.Exceeded) Result {
	return concluded(opts, c, func(r *Result) { r.Because(Error, "not judged: the cases before it took %v", why) })
}
