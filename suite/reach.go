package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"metalconform/metalrun"
)

// Reach is what launches on a device that observes have reached of kernels: what none has, nothing is known of.
type Reach struct {
	mu   sync.Mutex
	arms map[string]map[metalrun.Arm]bool // by kernel
}

// note adds a launch of a kernel. A nil Reach keeps nothing.
func (r *Reach) note(kernel string, arms []metalrun.Arm) {
	if r == nil || len(arms) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.arms == nil {
		r.arms = map[string]map[metalrun.Arm]bool{}
	}
	all := r.arms[kernel]
	if all == nil {
		all = map[metalrun.Arm]bool{}
		r.arms[kernel] = all
	}
	for _, a := range arms {
		reached := a.Reached
		a.Reached = false
		all[a] = all[a] || reached
	}
}

// Unreached is code of a kernel that no launch has reached.
type Unreached struct {
	metalrun.Position
	If    metalrun.Position `json:"if"`    // the branch that never led there
	Holds bool              `json:"holds"` // its condition, where it does
	// Stores says that the code writes buffers.
	Stores bool `json:"stores,omitempty"`
}

func (u Unreached) String() string {
	never := "false"
	if u.Holds {
		never = "true"
	}
	return fmt.Sprintf("%s: code that no launch reached: the condition at %d:%d is never %s", u.Position, u.If.Line,
		u.If.Col, never)
}

// Unreached is what no launch of a kernel has reached: first what writes buffers, each in the order of the source. Of
// arms within each other it is the outermost, and of copies of one arm, in a function that is called twice, none if
// another was reached.
func (r *Reach) Unreached(kernel string) []Unreached {
	r.mu.Lock()
	defer r.mu.Unlock()
	reached := map[metalrun.Position]bool{}
	for a, yes := range r.arms[kernel] {
		reached[a.Position] = reached[a.Position] || yes
	}
	var list []Unreached
	for a := range r.arms[kernel] {
		if !reached[a.Position] {
			list = append(list, Unreached{a.Position, a.If, a.Holds, a.Stores})
		}
	}
	slices.SortFunc(list, func(a, b Unreached) int {
		return cmp.Or(order(b.Stores)-order(a.Stores), strings.Compare(a.File, b.File),
			a.Line-b.Line, a.Col-b.Col, a.If.Line-b.If.Line,
			a.If.Col-b.If.Col)
	})
	return slices.CompactFunc(list, func(a, b Unreached) bool { return a.Position == b.Position })
}

// order puts what holds last.
func order(holds bool) int {
	if holds {
		return 1
	}
	return 0
}
