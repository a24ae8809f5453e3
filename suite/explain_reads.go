package suite

// shownFirst is how many elements of a part are shown.
const shownFirst = 6

// reads are the parts of the inputs that go with an element of an output by the
// names of axes: where an input has an axis of the output, the part has the
// element's index there; but its last extent is taken whole, as the terms of a
// sum are. What a kernel does read is for its definition to say.
func (t *caseRun) reads(output string, index []int) []Summary {
	out, _ := t.Kernel.Args.Find(output)
	at := map[string]int{}
	for i, name := range out.axes() {
		if name != "" {
			at[name] = index[i]
		}
	}
	var list []Summary
	for _, b := range t.buffers {
		if b != nil && b.arg.Role != RoleOut && b.count() > 0 {
			list = append(list, b.part(t.Shape, at))
		}
	}
	return list
}

// part sums up the elements whose indices on axes, but for the last extent, are
// those of at. The fixed extents are the outermost ones of a part: the first
// that is not fixed ends them.
func (b *buffer) part(s Shape, at map[string]int) Summary {
	names, extents := b.arg.axes(), sizes(b.arg, s)
	first, size := 0, b.count()
	var part []int
	last := len(extents) - 1
	for i := range extents[:max(last, 0)] {
		n, shared := at[names[i]]
		if !shared || n >= extents[i] {
			break
		}
		size /= extents[i]
		first += n * size
		part = append(part, n)
	}
	out := b.summary(s, first, size)
	out.Part = part
	for i := range min(size, shownFirst) {
		out.First = append(out.First, Value(b.value(first+i)))
	}
	if n, shared := at[names[last]]; shared && len(part) == last && n < size {
		out.Same = &Sample{b.arg.index(s, first+n), Value(b.value(first + n))}
	}
	return out
}
