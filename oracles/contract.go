package oracles

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Contract is what a kernel promises about its arithmetic. The zero value is
// an f32 kernel that uses precise functions, may flush subnormals, computes
// token by token, and leaves the order of every sum open.
type Contract struct {
	Intermediates Format // narrowest that the result of an operation may have on the way to an output
	Accumulators  Format // of running sums, and of the terms that they take

	Functions  Functions           // class of exp, rsqrt, log and division
	Measured   *Measured           // how accurate they are on a device; nil: as the specification says
	Subnormals Subnormals          // whether an operation may treat subnormals as zero
	Forms      Forms               // of operations that have two
	Sums       map[string]Schedule // order of a sum, by the name that its oracle gives it; AnyOrder if missing
	Chunk      int                 // tokens per chunk of a chunkwise recurrence; 0: token by token

	// Reassociated: the compiler may evaluate sums and products in any order and multiply
	// sums out, wherever the source does not keep it from that.
	Reassociated bool

	Tracer *SumTracer // follows the sums that the oracle forms; may be nil
}

// Sum is the declared order of the sum called name.
func (c Contract) Sum(name string) Schedule {
	if s, ok := c.Sums[name]; ok {
		return s
	}
	return AnyOrder()
}

// Transformed is the contract of a kernel whose compiler may reassociate and distribute,
// and multiply by reciprocals. Every sum may then be in any order, products in any groups,
// and 1/√x whatever the source has; a quotient may be x·(1/y) with the accuracy that the class
// of functions has for both.
func (c Contract) Transformed(reassociates, reciprocals bool) Contract {
	if reassociates {
		c.Reassociated, c.Sums = true, maps.Clone(c.Sums)
		for name := range c.Sums {
			c.Sums[name] = AnyOrder()
		}
		c.Forms[Products], c.Forms[Carry] = Either, Either
	}
	if reciprocals {
		c.Forms[Division], c.Forms[Root] = Either, Either
	}
	return c
}

// String states the contract in one line, for reports.
func (c Contract) String() string {
	functions := c.Functions.String() + " functions"
	if c.Measured != nil {
		functions += " " + c.Measured.String()
	}
	parts := []string{c.Intermediates.String(), functions, c.Subnormals.String()}
	if c.Accumulators != c.Intermediates {
		parts = append(parts, c.Accumulators.String()+" accumulators")
	}
	for o, f := range c.Forms {
		if f != Usual {
			parts = append(parts, fmt.Sprintf("%s: %s", forms[o].name, forms[o].word(f)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Sums)) {
		parts = append(parts, fmt.Sprintf("%s: %s", name, c.Sums[name]))
	}
	if c.Reassociated {
		parts = append(parts, "reassociated")
	}
	if c.Chunk > 0 {
		parts = append(parts, fmt.Sprintf("chunks of %d", c.Chunk))
	}
	return strings.Join(parts, ", ")
}

// Subnormals says what a kernel's operations may do with subnormal numbers.
type Subnormals uint8

const (
	MayFlush Subnormals = iota // as inputs and as results they may count as zero
	Kept                       // gradual underflow
)

func (s Subnormals) String() string {
	return [...]string{"subnormals may be flushed", "subnormals kept"}[s]
}
