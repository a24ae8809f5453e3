package syntax

import "sort"

// File is a translation unit after preprocessing.
type File struct {
	node
	Name    string
	Headers []string // Metal's own headers that it includes: "metal_stdlib"
	Removed []string // macros of those headers that it redefines or removes
	Decls   []Decl

	Lost       map[string]bool // names in text that was skipped after an error
	provenance *provenance
	warnings   *warnings
}

// Muted reports whether the program has muted a warning such as -Wunused-variable at a place.
func (f *File) Muted(warning string, at Pos) bool {
	for range len(f.provenance.included) + 1 {
		list := f.warnings.log[at.File]
		if after := sort.Search(len(list), func(i int) bool { return before(at, list[i].from) }); after > 0 {
			return mutes(list[after-1].muted, warning)
		}
		include, ok := f.provenance.included[at.File]
		if !ok {
			break
		}
		at = include // what holds where the file is included
	}
	return false
}

// Explain adds to errors in the tree the includes and macros that led to their positions.
func (f *File) Explain(errs ErrorList) { f.provenance.explain(errs) }
