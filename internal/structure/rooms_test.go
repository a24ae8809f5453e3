package structure

import "strings"

// room is a box of the picture: a few packages with one rule.
type room struct {
	name     string
	rule     string
	packages string // paths; one that ends in "/..." stands for all packages under it, too
	row      int    // from the top
	left     float64
	width    float64
}

// Columns of the picture, in pixels. Between them there is room for arrows.
const (
	column = 330
	gutter = 40
	wide   = 2*column + gutter
	second = column + gutter
	third  = 2 * second
)

// rooms lie so that arrows point down or across: a source enters at the top, and a verdict leaves at the bottom.
// A package belongs to the first room that names it.
var rooms = []room{
	{
		name:     "Oracles",
		rule:     "The textbook definition in float64, with a derived error bound. Never meets the executor.",
		packages: "oracles/...",
		left:     0, width: column,
	},
	{
		name:     "Front end",
		rule:     "Reads Metal Shading Language into a typed tree. Refuses what Apple's compiler refuses.",
		packages: "metalrun/internal/syntax metalrun/internal/types metalrun/internal/hir metalrun/internal/consteval",
		left:     second, width: column,
	},
	{
		name:     "Arithmetic",
		rule:     "Functions of the standard library: in float32, and as values with error bounds.",
		packages: "metalrun/internal/scalar metalrun/internal/ball",
		left:     third, width: column,
	},
	{
		name:     "Kernels and data",
		rule:     "Our kernels, shapes of real models, seeded faults, results of other people's code.",
		packages: "shaders fixtures/...",
		row:      1,
		left:     0, width: column - gutter,
	},
	{
		name:     "IR",
		rule:     "Lowers the tree to one set of operations. A mode of mathematics is a set of rewrites.",
		packages: "metalrun/internal/ir/...",
		row:      1,
		left:     second, width: column,
	},
	{
		name: "Executor",
		rule: "Runs threadgroups on any schedule. Finds races and other undefined behaviour, and carries " +
			"exact values.",
		packages: "metalrun/internal/simt/...",
		row:      1,
		left:     third, width: column,
	},
	{
		name: "Launches",
		rule: "One kernel, one launch: Program, Dispatch, Runner, findings. What can be told without a device.",
		packages: "metalrun metalrun/mutation metalrun/forecast metalrun/timing metalrun/probe metalrun/intrinsics " +
			"metalrun/survey metalrun/internal/...",
		row:  2,
		left: second, width: column,
	},
	{
		name:     "Runners",
		rule:     "One interface: the simulator, a GPU, a process of its own, a recording.",
		packages: "metalrun/...",
		row:      2,
		left:     third, width: column,
	},
	{
		name: "Suite",
		rule: "What conformance means: kernel, case, input, comparison. A case " +
			"is prepared, launched, compared and concluded. " +
			"Runners are handed in.",
		packages: "suite/...",
		row:      3,
		left:     0, width: wide,
	},
	{
		name:     "Library",
		rule:     "What other modules import.",
		packages: "conform/...",
		row:      3,
		left:     third, width: column - 2*gutter,
	},
	{
		name:     "Reports",
		rule:     "Results for readers: text, pages, plots, history. Judges nothing.",
		packages: "reports/...",
		row:      4,
		left:     0, width: wide,
	},
	{
		name:     "Command",
		rule:     "Flags and printing. Chooses the runner, and its exit status is the verdict.",
		packages: "cmd/... docs",
		row:      5,
		left:     0, width: third + column,
	},
	{
		name:     "Files and output",
		rule:     "How input of others is read, and what of it is printed. Any room may use it: no arrows.",
		packages: "internal/... tensorfile",
		row:      6,
		left:     0, width: third + column,
	},
}

// used is the room that has no arrows.
const used = "Files and output"

// holds reports whether a room has a package.
func (r room) holds(pkg string) bool {
	for _, p := range strings.Fields(r.packages) {
		under, all := strings.CutSuffix(p, "/...")
		if pkg == under || all && strings.HasPrefix(pkg, under+"/") {
			return true
		}
	}
	return false
}

// roomOf is the index of the room of a package, and -1 if it has none.
func roomOf(pkg string) int {
	for i, r := range rooms {
		if r.holds(pkg) {
			return i
		}
	}
	return -1
}
