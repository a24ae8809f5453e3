package explore

import (
	"fmt"
	"slices"

	"metalconform/metalrun"
)

// A place of the source may show something in one launch that weighs more than what it shows in another. It is told
// once, as what weighs most.

// severity orders grades: what has none ended its launch.
func (o Finding) severity() int {
	return 1 + slices.Index([]metalrun.Grade{metalrun.GradeNote, metalrun.GradeUndefined, metalrun.GradeWrong, ""},
		o.Grade)
}

// between names the check and the two places that an Finding is about, and the kind of a fault. A note has one place.
func (o Finding) between() string {
	if o.Grade == metalrun.GradeNote {
		return o.where() + " note"
	}
	places := []string{o.Position.String()}
	if o.Other != nil {
		places = append(places, o.Other.Position.String())
	}
	slices.Sort(places)
	if o.fault != nil {
		places = append(places, string(o.fault.Kind))
	}
	return fmt.Sprint(o.Check, places)
}

// where names the check and the place of an Finding.
func (o Finding) where() string { return o.Check + " " + o.Position.String() }

// severities are the greatest of some findings, by what they are about.
type severities map[string]int

func mostSevere(list []Finding) severities {
	g := severities{}
	for _, o := range list {
		for _, at := range []string{o.where(), o.between()} {
			g[at] = max(g[at], o.severity())
		}
	}
	return g
}

// hides reports whether one of them weighs more than an Finding between the same two places, or is an error where
// that is a note.
func (g severities) hides(o Finding) bool {
	if o.Grade == metalrun.GradeNote {
		return g[o.where()] > o.severity()
	}
	return g[o.between()] > o.severity()
}

// keepMostSevere leaves out what an exploration has to say with more weight, too.
func (q *exploration) keepMostSevere() {
	var all []Finding
	for _, x := range q.reported {
		all = append(all, x.list...)
	}
	grave := mostSevere(all)
	for i := range q.reported {
		q.reported[i].list = slices.DeleteFunc(q.reported[i].list, grave.hides)
	}
}
