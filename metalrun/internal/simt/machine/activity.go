package machine

// activity is the number of active threads of each simdgroup, by the mask.
type activity struct {
	N       int // lanes of the machine; 0 if the mask has changed
	threads [MaxThreads / Simdgroup]int
}

// active is the number of active threads.
func (m *Machine) active() int {
	if m.Whole {
		return m.N
	}
	return m.activeIn(0, m.N)
}

// Activity is the number of active threads of each simdgroup.
func (m *Machine) Activity() []int {
	if known := &m.Activities; known.N != m.N {
		known.N = m.N
		for lo := 0; lo < m.N; lo += Simdgroup {
			hi := min(lo+Simdgroup, m.N)
			n := hi - lo
			if !m.Whole {
				n = m.activeIn(lo, hi)
			}
			known.threads[lo/Simdgroup] = n
		}
	}
	return m.Activities.threads[:m.simdgroups()]
}
