package suite

// Work declares what a kernel's definition asks for, at any shape and however
// a kernel goes about it.
type Work struct {
	// Operations counts the arithmetic of the definition: an addition, a
	// subtraction, a multiplication and a division one each, so that a
	// multiply-add counts two and a sum of n terms n; a function such as exp,
	// rsqrt or sin one; a sigmoid or silu the exp, the sum and the quotient that
	// it is. What the definition needs several times it computes once. Signs,
	// comparisons, conversions, copies, indices and constants of the shape count
	// nothing.
	Operations Extent
	// Reads and Writes count the elements of a buffer that have to be read and
	// written, where that is not all of an input, or of an output all that is
	// not declared untouched. Elements that an index picks count as if no two
	// indices were equal.
	Reads, Writes map[string]Extent
}

// Cost is the least that a run of a kernel takes at one shape, over all its
// launches.
type Cost struct {
	Bytes      int // that cross device memory: each element to be read once, each to be written once
	Operations int // as [Work] counts them
	Elements   int // to be written
}

// Cost evaluates the kernel's Work at s. It panics if Operations is not
// declared.
func (k *Kernel) Cost(s Shape) Cost {
	c := Cost{Operations: k.Work.Operations.Size(s)}
	for _, a := range k.Args {
		if !a.Buffer() {
			continue
		}
		reads, writes := k.Work.of(a, s)
		c.Bytes += (reads + writes) * a.Type.Bytes()
		c.Elements += writes
	}
	return c
}

// of counts the elements of one buffer that have to be read and written.
func (w Work) of(a Arg, s Shape) (reads, writes int) {
	n := a.Count(s)
	if a.Untouched != nil {
		for _, r := range a.Untouched(s) {
			n -= r.End - r.First
		}
	}
	if a.Role != RoleOut {
		reads = n
	}
	if a.Writable() {
		writes = n
	}
	if e, ok := w.Reads[a.Name]; ok {
		reads = e.Size(s)
	}
	if e, ok := w.Writes[a.Name]; ok {
		writes = e.Size(s)
	}
	return reads, writes
}

// Largest is, of each kernel that has cases, the one that moves most bytes:
// the first of several. Pipelines and the shapes that a host refuses have none.
func Largest(cases []Case) []Case {
	var largest []Case
	at := map[*Kernel]int{}
	for _, c := range Measurable(cases) {
		i, seen := at[c.Kernel]
		switch {
		case !seen:
			at[c.Kernel] = len(largest)
			largest = append(largest, c)
		case c.Kernel.Cost(c.Shape).Bytes > largest[i].Kernel.Cost(largest[i].Shape).Bytes:
			largest[i] = c
		}
	}
	return largest
}

// Measurable are the cases that launch a kernel: neither those of pipelines nor
// those that launch nothing, nor the ends of larger launches.
func Measurable(cases []Case) []Case {
	var list []Case
	for _, c := range cases {
		if c.end == nil && c.Launching() {
			list = append(list, c)
		}
	}
	return list
}

// Launching reports whether the case launches a kernel.
func (c Case) Launching() bool {
	return c.Pipeline == nil && c.Input.Name != refused && len(c.LaunchSequence()) > 0
}
