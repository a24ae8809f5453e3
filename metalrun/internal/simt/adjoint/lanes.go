package adjoint

// Of most lanes little has to be recorded. A lane matters if it stores what the element is sensitive
// to, or if the element is sensitive to what its registers and its memory hold where the records end.
// Of all others only those operations matter that may lead to what another lane reads.

// storing is a threadgroup that stores what the element is sensitive to, and the lanes that do.
type storing struct {
	group int
	lanes []bool
}

// stored notes that a lane does.
func (t *trace) stored(group, lane int) {
	if len(t.stores) == 0 || t.stores[len(t.stores)-1].group != group {
		t.stores = append(t.stores, storing{group, make([]bool, t.n)})
	}
	t.stores[len(t.stores)-1].lanes[lane] = true
}

// want finds the lanes that matter in the records of a run.
func (t *trace) want(ownEnd int) {
	t.wants = make([]bool, t.n)
	copy(t.wants, t.storing)
	for _, of := range [][2]int{{t.narrow, t.uni}, {t.own, ownEnd}} {
		for i, a := range t.adjoint[of[0]:of[1]] {
			if a != 0 {
				t.wants[i%t.n] = true
			}
		}
	}
}
