package explore

import (
	"fmt"

	"metalconform/metalrun"
)

// Report is what a reader gets to see of the findings of a file: each once between the same two places.
type Report struct {
	Strict bool // what no trial shows to change a result is an error too

	Errors, Warnings int // findings that count, of all kernels

	seen   map[string]bool
	groups map[string]*Group // by what they are about
	order  []*Group          // in the order in which their places came up
}

// Group is what kernels have shown between the same two places: the most severe finding, and the
// kernels with the others.
type Group struct {
	Finding
	Kernels []string // that have shown it too
}

// Add counts a finding. It reports false if the same kernel has shown it before.
func (r *Report) Add(f Finding) (fresh bool) {
	key := fmt.Sprint(f.Kernel, f.Grade, f.between())
	if r.seen[key] {
		return false
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[key] = true
	switch {
	case f.Grade == metalrun.GradeNote:
	case r.Warns(f):
		r.Warnings++
	default:
		r.Errors++
	}
	return true
}

// Warns reports whether a finding is a warning: nothing shows that it changes a result.
func (r *Report) Warns(f Finding) bool { return f.Grade == metalrun.GradeUndefined && !r.Strict }

// Gather keeps a finding of a kernel with those that others have shown at its places.
func (r *Report) Gather(f Finding) {
	between := f.between()
	before := r.groups[between]
	switch {
	case before == nil:
		if r.groups == nil {
			r.groups = map[string]*Group{}
		}
		r.groups[between] = &Group{Finding: f}
		r.order = append(r.order, r.groups[between])
	case f.severity() > before.severity():
		*before = Group{f, append(before.Kernels, before.Kernel)}
	default:
		before.Kernels = append(before.Kernels, f.Kernel)
	}
}

// Groups are the findings that were gathered. A note on a place where another kernel has an error is
// left out.
func (r *Report) Groups() (list []Group) {
	all := make([]Finding, len(r.order))
	for i, g := range r.order {
		all[i] = g.Finding
	}
	severe := mostSevere(all)
	for _, g := range r.order {
		if !severe.hides(g.Finding) {
			list = append(list, *g)
		}
	}
	return list
}
