package main

import (
	"fmt"
	"slices"

	"metalconform/metalrun"
)

// A place of the source may show something in one launch that weighs more than what it shows in another. It is told once, as what
// weighs most.

// gravity orders grades: what has none ended its launch.
func (o observation) gravity() int {
	return 1 + slices.Index([]metalrun.Grade{metalrun.GradeNote, metalrun.GradeUndefined, metalrun.GradeWrong, ""}, o.Grade)
}

// between names the check and the two places that an observation is about, and the kind of a fault. A note has one place.
func (o observation) between() string {
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

// where names the check and the place of an observation.
func (o observation) where() string { return o.Check + " " + o.Position.String() }

// gravities are the greatest of some observations, by what they are about.
type gravities map[string]int

func gravest(list []observation) gravities {
	g := gravities{}
	for _, o := range list {
		for _, at := range []string{o.where(), o.between()} {
			g[at] = max(g[at], o.gravity())
		}
	}
	return g
}

// hides reports whether one of them weighs more than an observation between the same two places, or is an error where
// that is a note.
func (g gravities) hides(o observation) bool {
	if o.Grade == metalrun.GradeNote {
		return g[o.where()] > o.gravity()
	}
	return g[o.between()] > o.gravity()
}

// weigh leaves out what an inquiry has to say with more weight, too.
func (q *inquiry) weigh() {
	var all []observation
	for _, x := range q.told {
		all = append(all, x.list...)
	}
	grave := gravest(all)
	for i := range q.told {
		q.told[i].list = slices.DeleteFunc(q.told[i].list, grave.hides)
	}
}
