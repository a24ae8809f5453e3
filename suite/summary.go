package suite

import "math"

// Summaries are those of all buffers that the kernel may read.
func (t *CaseRun) Summaries() []Summary {
	var list []Summary
	for _, b := range t.buffers {
		if b == nil || b.arg.Role == RoleOut {
			continue
		}
		s := b.summary(t.Shape, 0, b.count())
		s.Inputs = t.Case.filledBy(b.arg)
		list = append(list, s)
	}
	return list
}

// summary sums up so many elements from first on.
func (b *buffer) summary(s Shape, first, count int) Summary {
	out := Summary{Arg: b.arg.Name, Type: b.arg.Type.String(), Extents: sizes(b.arg, s), Axes: b.arg.axes(), Elements: count}
	format, float := b.arg.Type.Format()
	low, high := math.Inf(1), math.Inf(-1)
	for i := range count {
		x := b.value(first + i)
		switch {
		case !isFinite(x):
			out.NonFinite++
			continue
		case x == 0:
			out.Zeros++
		case float && math.Abs(x) < format.SmallestNormal():
			out.Subnormal++
		}
		low, high = min(low, x), max(high, x)
	}
	if low <= high {
		out.Min, out.Max = low, high
	}
	return out
}

// axes are the names of an argument's extents.
func (a Arg) axes() []string {
	names := make([]string, len(a.Extents))
	for i, e := range a.Extents {
		if axis, ok := e.(Axis); ok {
			names[i] = string(axis)
		}
	}
	return names
}

// Reads are the parts of the inputs that go with an element of an output by the
// names of axes: where an input has an axis of the output, the part has the
// element's index there; but its last extent is taken whole, as the terms of a
// sum are. What a kernel does read is for its definition to say.
func (t *CaseRun) Reads(output string, index []int) []Summary {
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

// shownFirst is how many elements of a part are shown.
const shownFirst = 6
