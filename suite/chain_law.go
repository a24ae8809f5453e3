package suite

import (
	"fmt"

	"metalconform/oracles"
)

// Equal checks that two buffers have the same bits.
func (c *Course) Equal(a, b string) {
	x, y := c.whole(a), c.whole(b)
	law := fmt.Sprintf("%s = %s", a, b)
	if x.arg.Type != y.arg.Type || x.count() != y.count() {
		c.stop("%s: %d %s and %d %s", law, x.count(), x.arg.Type, y.count(), y.arg.Type)
	}
	var found tally
	t := x.arg.Type
	for i := range x.count() {
		if t.word(x.payload(), i) != t.word(y.payload(), i) {
			found.note(i, 0)
		}
	}
	c.total.add(figures{elements: x.count(), cosine: 1}, law)
	c.seen.equal(law, x, y, found)
	if found.count == 0 {
		return
	}
	i := found.first
	u, v := t.word(x.payload(), i), t.word(y.payload(), i)
	c.fail(law, []Failure{{
		Check: CheckEqual, Arg: b, Index: y.arg.index(y.shape, i), First: y.arg.index(y.shape, i),
		Got: number(t.value(v)), Want: number(t.value(u)), Count: found.count, Of: x.count(),
		Message: fmt.Sprintf("%s = %s (bits %#x), %s = %s (bits %#x), must have the same bits; %d of %d elements differ",
			y.element(i), number(t.value(v)), v, x.element(i), number(t.value(u)), u, found.count, x.count()),
	}})
}

// Close checks two buffers that stages computed by the same mathematics from
// the same bits: no two elements may differ by more than both stages' own
// bounds together.
func (c *Course) Close(a, b string) {
	x, y := c.whole(a), c.whole(b)
	c.within(fmt.Sprintf("%s ~ %s", a, b), y, oracles.Answer{Want: x.values(), Budget: []oracles.Term{
		{Label: "bound of " + a, Error: x.bound}, {Label: "bound of " + b, Error: y.bound},
	}}, x)
}

// Within checks a buffer against an answer that says how far each element may
// be from what it has to be. The law's name stands in failures.
func (c *Course) Within(law, name string, want oracles.Answer) {
	c.within(law, c.whole(name), want)
}

// within is Within, where want comes from the buffers called sides.
func (c *Course) within(law string, p *place, want oracles.Answer, sides ...*place) {
	if len(want.Want) != p.count() {
		c.stop("%s: %d elements are wanted of %s, which has %d", law, len(want.Want), p.arg.Name, p.count())
	}
	f := figures{cosine: 1}
	o := output{buffer: p.buffer, shape: p.shape, answer: want}
	failures, err := o.judge(&f)
	if err != nil {
		c.stop("%s: %v", law, err)
	}
	c.total.add(f, law)
	c.seen.law(law, p, want, Result{Over: f.over, Outputs: f.outputs, Failures: failures}, sides...)
	c.fail(law, failures)
}

// Notef adds a clause for the reader of the result: a figure that is measured
// and gates nothing.
func (c *Course) Notef(format string, args ...any) {
	c.result.Notes = append(c.result.Notes, fmt.Sprintf(format, args...))
}
