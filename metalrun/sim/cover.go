package sim

import (
	"slices"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt"
)

// covered are the statements of a kernel that was lowered with marks, in the order of the source. A statement of a
// function that is inlined several times counts as executed if one of its copies was. Those that the front end has
// evaluated count as executed, too.
func covered(runs []simt.Counted, evaluated []metalrun.Statement) []metalrun.Covered {
	executed := map[metalrun.Statement]bool{}
	for _, s := range evaluated {
		executed[s] = true
	}
	for _, c := range runs {
		for _, in := range c.Run {
			if in.Op == ir.Cover {
				s := metalrun.Statement{Position: position(in.Pos), Number: in.Extra.(int)}
				executed[s] = executed[s] || c.Threads > 0
			}
		}
	}
	var list []metalrun.Covered
	for s, yes := range executed {
		list = append(list, metalrun.Covered{Statement: s, Executed: yes})
	}
	slices.SortFunc(list, func(a, b metalrun.Covered) int { return a.Compare(b.Statement) })
	return list
}
