package metalrun

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/widths"
)

// NarrowIndex is an integer that has too few bits for the addresses or the branches of a launch.
type NarrowIndex struct {
	Position        // of what computes it
	Variable string // that holds it; "" for an intermediate value
	Use      Position
	Branch   bool  // Use is a branch, otherwise an access to memory
	Exact    int64 // the integer without a width, in bytes from the beginning of the buffer where Use is an access
	Got      int64 // the integer that the kernel has instead, where Use is an access
}

// IndexWidths looks for integers of an entry point that are too narrow for large launches. It executes nothing, and the
// buffers of these launches need not exist.
type IndexWidths struct {
	kernel *ir.Kernel
	meant  map[*ir.Instr]bool
}

// IndexWidths is the search for the entry point called name.
func (p *Program) IndexWidths(name string) (*IndexWidths, error) {
	k, err := p.Lowered(name)
	if err != nil {
		return nil, err
	}
	return &IndexWidths{kernel: k, meant: map[*ir.Instr]bool{}}, nil
}

// Expect takes what wraps in a launch for intended, such as a hash: the launch has to be too small for anything else.
func (w *IndexWidths) Expect(d Dispatch) {
	for _, found := range widths.Find(w.kernel, widthLaunch(d)) {
		w.meant[found.At] = true
	}
}

// Find is the first integer that is too narrow for a launch and was not expected.
func (w *IndexWidths) Find(d Dispatch) (n NarrowIndex, found bool) {
	for _, f := range widths.Find(w.kernel, widthLaunch(d)) {
		if w.meant[f.At] {
			continue
		}
		return NarrowIndex{Position: position(f.At.Pos), Variable: f.Name, Use: position(f.Use), Branch: f.Branch,
			Exact: f.Exact, Got: f.Got}, true
	}
	return n, false
}

// widthLaunch is a dispatch without its memory.
func widthLaunch(d Dispatch) widths.Launch {
	l := widths.Launch{Grid: d.Grid().array(), PerGroup: d.ThreadsPerThreadgroup.array(), Inline: map[int][]byte{}}
	if d.Threads != (Size{}) {
		l.Threads = d.Threads.array()
	}
	for _, b := range d.Bindings {
		if b.Inline {
			l.Inline[b.Index] = b.Data
		}
	}
	return l
}

func (s Size) array() [3]int { return [3]int{s.X, s.Y, s.Z} }
