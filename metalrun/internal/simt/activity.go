package simt

// activity is how many threads are active, as the mask has them.
type activity struct {
	n       int // lanes of the machine; 0 if the mask has changed
	threads [MaxThreads / Simdgroup]int
}

// active is the number of active threads.
func (m *machine) active() int {
	if m.whole {
		return m.n
	}
	return m.activeIn(0, m.n)
}

// activity is the number of active threads of each simdgroup.
func (m *machine) activity() []int {
	if known := &m.activities; known.n != m.n {
		known.n = m.n
		for lo := 0; lo < m.n; lo += Simdgroup {
			hi := min(lo+Simdgroup, m.n)
			n := hi - lo
			if !m.whole {
				n = m.activeIn(lo, hi)
			}
			known.threads[lo/Simdgroup] = n
		}
	}
	return m.activities.threads[:m.heads()]
}
