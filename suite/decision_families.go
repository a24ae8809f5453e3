package suite

// approach says how inputs come near decisions.
type approach uint8

const (
	unmoved   approach = iota
	allAtOnce          // elements of a part move
	byOne              // one of them, and then another
)

const (
	decisions      = "decisions"
	decisionsByOne = "decisions_by_one"

	mostDecided  = 1 << 14 // elements of the buffers of such a case
	bisections   = 30      // of a line: more than the digits of f32
	toZero       = 4       // one of so many lines leads to zero, near which limits are that no other line would meet,
	nearZero     = 0x1p-20 // or nearly
	smallestJump = 0x1p-12 // of the largest result
	mostLines    = 12      // one after the other
	leastLines   = 2
	questions    = 1 << 20 // times elements, that the lines one after the other may cost
	mostAsked    = 1 << 26 // operations that all questions of a case may take, about half a second, where the definition counts them
)

// nearDecisions are the families that lead to decisions, from the numbers of another.
func (k *Kernel) nearDecisions(first Input) []Input {
	list := []Input{first, first}
	for i := range list {
		in := &list[i]
		in.Name, in.approach, in.Random = []string{decisions, decisionsByOne}[i], allAtOnce+approach(i), false
		in.Only = func(s Shape) bool { return (first.Only == nil || first.Only(s)) && k.elements(s) <= mostDecided }
	}
	return list
}

// NearDecisions reports whether the case's inputs are led to decisions, some of which rounding takes.
func (c Case) NearDecisions() bool { return c.Input.approach != unmoved }

// elements is how many the buffers of a case have.
func (k *Kernel) elements(s Shape) int {
	n := 0
	for _, a := range k.Args {
		if a.Buffer() {
			n += a.Count(s)
		}
	}
	return n
}
