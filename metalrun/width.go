package metalrun

import (
	"cmp"
	"regexp"
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/widths"
)

// NarrowIndex is an integer that has too few bits for the addresses or the branches of a launch.
type NarrowIndex struct {
	Position        // of what computes it
	Variable string // that holds it; "" for an intermediate value
	Line     string // of the source, where it is computed
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
	files  map[string]string
	steps  int // that are left
}

// mostWidthSteps is how many instructions a search may evaluate: they take about a tenth of a second.
const mostWidthSteps = 1 << 21

// IndexWidths is the search for the entry point called name.
func (p *Program) IndexWidths(name string) (*IndexWidths, error) {
	k, err := p.Lowered(name)
	if err != nil {
		return nil, err
	}
	return &IndexWidths{kernel: k, meant: map[*ir.Instr]bool{}, files: p.Source().Files,
		steps: mostWidthSteps}, nil
}

// Expect takes what wraps in a launch for intended, such as a hash: the launch has to be too small for anything else.
func (w *IndexWidths) Expect(d Dispatch) {
	list, _ := widths.Find(w.kernel, w.launch(d))
	for _, found := range list {
		w.meant[found.At] = true
	}
}

// Find is the first integer that is too narrow for a launch and was not expected, nil if there is none. It reports
// false where a thread goes beyond an array of the kernel or positions of 32 bits: no host makes such a launch.
//
// Branches that go the other way count if that is asked for: a loop that steps over the last of nearly 2³² elements
// with uint does not end, and few hosts have as many.
func (w *IndexWidths) Find(d Dispatch, branches bool) (n *NarrowIndex, possible bool) {
	l := w.launch(d)
	l.NoBranch = !branches
	list, possible := widths.Find(w.kernel, l)
	for _, f := range list {
		if !w.meant[f.At] {
			n := &NarrowIndex{Position: position(f.At.Pos), Use: position(f.Use), Branch: f.Branch, Exact: f.Exact,
				Got: f.Got}
			n.Line = line(w.files[n.File], n.Position.Line)
			n.Variable = cmp.Or(f.Name, assigned(n.Line, n.Col))
			n.Line = strings.TrimSpace(n.Line)
			return n, possible
		}
	}
	return nil, possible
}

// line is one of a text, counted from 1; "" if it has none of that number.
func line(text string, number int) string {
	for range number - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// assignment is a variable that an expression is stored in: at = …, at += ….
var assignment = regexp.MustCompile(`(?:^|[\s;{(*&])([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=[^=]`)

// assigned is the variable that the expression at a column of a line is stored in, if the line says so.
func assigned(text string, column int) string {
	before := text[:min(max(column-1, 0), len(text))]
	before = before[strings.LastIndexAny(before, ";{")+1:]
	if m := assignment.FindAllStringSubmatch(before+" ", -1); m != nil && !strings.ContainsAny(before, "[]") {
		return m[len(m)-1][1]
	}
	return ""
}

// launch is a dispatch without its memory.
func (w *IndexWidths) launch(d Dispatch) widths.Launch {
	l := widths.Launch{Grid: d.Grid().array(), PerGroup: d.ThreadsPerThreadgroup.array(), Inline: map[int][]byte{},
		Shared: d.ThreadgroupMemory, Steps: &w.steps}
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
