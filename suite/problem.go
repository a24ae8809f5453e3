package suite

import (
	"fmt"
	"math"

	"metalconform/oracles"
)

// Problem is what an oracle is asked: a kernel's inputs as their exact bits
// say, before the first launch.
type Problem struct {
	Shape    Shape
	Input    string // the name of the family of inputs
	Contract oracles.Contract
	Launches []Launch
	// Trial, if not 0, asks what the definition gives where each of its operations errs by a unit in the last
	// place of float64, up or down as draws of this seed say. A definition may leave that out.
	// [Ranked] asks instead for what it gives where numbers that float64 has 0 for keep their order.
	Trial uint64
	// Arithmetic, if not nil, is the format in which the operations of a trial err instead: every operation of a
	// straightforward evaluation in it, the steps of a sum among them. Such a trial is of no use where a definition
	// leaves it out.
	Arithmetic *oracles.Format

	// Passing says that nobody asks the same again.
	Passing bool
	// Work is what a definition says that it took, where it counts: operations on elements, and 16 of them for a step
	// of a program.
	Work int64

	defined *int64 // likewise, for the result; nil: nobody asks
	took    *int64 // what the definition took for all that it was asked about the case; nil: nobody adds up
	kernel  *Kernel
	end     *End // of a larger launch; nil: it is whole
	values  map[string][]float64
	inputs  map[string]*buffer // in place of values
	words   map[string][]uint32
	tables  map[string][]float64
	wide    map[string][]uint64 // of integers of 64 bits, where the kernel's definition asks for them
}

// Took enters what an answer took, and says what all answers about the case took.
func (p *Problem) Took(work int64) (all int64) {
	p.Work = work
	if p.took == nil {
		return work
	}
	*p.took += work
	if p.defined != nil {
		*p.defined += work
	}
	return *p.took
}

// Ranked is a trial in which what a function has far out, such as exp(-1000), is not 0 but one of the least numbers:
// the largest of several is the largest still.
const Ranked = math.MaxUint64

// Values are the elements of a floating-point buffer before the first launch.
// An output has none.
func (p *Problem) Values(name string) []float64 {
	x, ok := p.values[name]
	if b := p.inputs[name]; b != nil {
		return b.values()
	}
	if !ok {
		panic(fmt.Sprintf("suite: %s has no floating-point input %q", p.kernel.Name, name))
	}
	return x
}

// forget drops the values of inputs, which are as large as all else that is known of a case.
// No launch changes an input: whoever asks again gets what its buffer holds.
func (p *Problem) forget(buffers []*buffer) {
	p.inputs = map[string]*buffer{}
	for _, b := range buffers {
		if b != nil && b.arg.Role == RoleIn && p.values[b.arg.Name] != nil {
			p.inputs[b.arg.Name] = b
			delete(p.values, b.arg.Name)
		}
	}
}

// Words are the elements of an integer buffer before the first launch, i32 in
// two's complement; of at most 32 bits.
func (p *Problem) Words(name string) []uint32 {
	x, ok := p.words[name]
	if !ok {
		panic(fmt.Sprintf("suite: %s has no integer input %q", p.kernel.Name, name))
	}
	return x
}

// Wide are the elements of a buffer of integers of 64 bits before the first launch. The kernel has to be [Kernel.Wide].
func (p *Problem) Wide(name string) []uint64 {
	x, ok := p.wide[name]
	if !ok {
		panic(fmt.Sprintf("suite: %s has no input of 64 bits %q", p.kernel.Name, name))
	}
	return x
}

// Integers are the elements of an integer buffer before the first launch, as numbers.
func (p *Problem) Integers(name string) []float64 {
	if _, wide := p.values[name]; wide || p.inputs[name] != nil {
		return p.Values(name)
	}
	words := p.Words(name)
	a, _ := p.kernel.Args.Find(name)
	x := make([]float64, len(words))
	for i, w := range words {
		x[i] = a.Type.value(uint64(w))
	}
	return x
}

// Table is what one of the kernel's Tables holds: the catalogue's numbers, or those of
// the program under test if that is declared.
func (p *Problem) Table(name string) []float64 {
	x, ok := p.tables[name]
	if !ok {
		panic(fmt.Sprintf("suite: %s has no table %q", p.kernel.Name, name))
	}
	return x
}

// Scalar is a scalar argument, or a field of a struct passed by setBytes, as
// the kernel sees it in the first launch, or would if there were one: rounded to its
// type.
func (p *Problem) Scalar(name string) float64 { return p.ScalarIn(0, name) }

// ScalarIn is Scalar in launch i.
func (p *Problem) ScalarIn(i int, name string) float64 {
	var l Launch
	if i < len(p.Launches) {
		l = p.Launches[i]
	}
	for _, a := range p.kernel.Args {
		for _, f := range a.Scalars() {
			if f.Name == name {
				return f.Type.Round(f.ValueIn(p.Shape, l))
			}
		}
	}
	panic(fmt.Sprintf("suite: %s has no scalar %q", p.kernel.Name, name))
}
