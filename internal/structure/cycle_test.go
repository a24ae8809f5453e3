package structure

// cycles are the sets of files in which each refers to each other one, directly or through others (the strongly
// connected components of the graph of references), found by Tarjan's algorithm.
func cycles(files []string, refs references) [][]string {
	t := tarjan{refs: refs, index: map[string]int{}, low: map[string]int{}, onStack: map[string]bool{}}
	for _, f := range files {
		if t.index[f] == 0 {
			t.visit(f)
		}
	}
	return t.found
}

// tarjan is the state of the search. Indices count from 1: 0 is a file that was not visited.
type tarjan struct {
	refs    references
	index   map[string]int
	low     map[string]int // the least index reachable from a file through files on the stack
	stack   []string
	onStack map[string]bool
	found   [][]string
}

func (t *tarjan) visit(f string) {
	t.index[f] = len(t.index) + 1
	t.low[f] = t.index[f]
	t.stack = append(t.stack, f)
	t.onStack[f] = true
	for to := range t.refs[f] {
		if t.index[to] == 0 {
			t.visit(to)
			t.low[f] = min(t.low[f], t.low[to])
		} else if t.onStack[to] {
			t.low[f] = min(t.low[f], t.index[to])
		}
	}
	if t.low[f] < t.index[f] {
		return
	}
	for at := len(t.stack) - 1; ; at-- {
		t.onStack[t.stack[at]] = false
		if t.stack[at] == f {
			t.found = append(t.found, append([]string(nil), t.stack[at:]...))
			t.stack = t.stack[:at]
			return
		}
	}
}
