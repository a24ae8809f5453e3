package air

import (
	"cmp"
	"slices"

	"metalconform/metalrun/internal/air/bitcode"
)

// graph is the control flow of a function. Blocks are numbered as in the function.
type graph struct {
	succ, pred [][]int
	order      []int // reachable blocks in reverse postorder
	rank       []int // of a block in order, -1 if it is not reachable
	idom       []int
	inner      []*loop // the innermost loop that a block is in
	headed     map[int]*loop
	work       int // steps left
}

// loop is a natural loop.
type loop struct {
	head   int
	blocks []int
	parent *loop
	depth  int
}

// maxGraphWork bounds what the analysis of one function takes: a few milliseconds for real ones.
const maxGraphWork = 1 << 24

// newGraph analyses a function. It panics with a refusal if a loop has two entries.
func newGraph(f *bitcode.Func) *graph {
	n := len(f.Blocks)
	g := &graph{succ: make([][]int, n), pred: make([][]int, n), rank: make([]int, n), idom: make([]int, n),
		inner: make([]*loop, n), headed: map[int]*loop{}, work: maxGraphWork}
	for i, b := range f.Blocks {
		targets := slices.Clone(b.Instrs[len(b.Instrs)-1].Targets)
		slices.Sort(targets)
		g.succ[i] = slices.Compact(targets)
		g.rank[i] = -1
	}
	g.number()
	for _, i := range g.order {
		for _, j := range g.succ[i] {
			g.pred[j] = append(g.pred[j], i)
		}
	}
	g.dominators()
	g.loops()
	return g
}

func (g *graph) spend(n int) {
	if g.work -= n; g.work < 0 {
		refuse("the control flow is too large")
	}
}

// number sets the reverse postorder.
func (g *graph) number() {
	type visit struct{ block, next int }
	seen := make([]bool, len(g.succ))
	seen[0] = true
	stack := []visit{{0, 0}}
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if v.next == len(g.succ[v.block]) {
			g.order = append(g.order, v.block)
			stack = stack[:len(stack)-1]
			continue
		}
		j := g.succ[v.block][v.next]
		v.next++
		if !seen[j] {
			seen[j] = true
			stack = append(stack, visit{j, 0})
		}
	}
	slices.Reverse(g.order)
	for at, i := range g.order {
		g.rank[i] = at
	}
}

// dominators sets the immediate dominators (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm").
func (g *graph) dominators() {
	for i := range g.idom {
		g.idom[i] = -1
	}
	g.idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, i := range g.order[1:] {
			d := -1
			for _, p := range g.pred[i] {
				switch {
				case g.idom[p] < 0:
				case d < 0:
					d = p
				default:
					d = g.common(d, p)
				}
			}
			g.spend(len(g.pred[i]) + 1)
			if g.idom[i] != d {
				g.idom[i], changed = d, true
			}
		}
	}
}

// common is the nearest block that dominates two.
func (g *graph) common(a, b int) int {
	for a != b {
		g.spend(1)
		if g.rank[a] > g.rank[b] {
			a = g.idom[a]
		} else {
			b = g.idom[b]
		}
	}
	return a
}

func (g *graph) dominates(a, b int) bool {
	for g.rank[b] > g.rank[a] {
		g.spend(1)
		b = g.idom[b]
	}
	return a == b
}

// loops finds the natural loops, and which is in which.
func (g *graph) loops() {
	members := map[int]map[int]bool{}
	for _, i := range g.order {
		for _, j := range g.succ[i] {
			if g.rank[j] > g.rank[i] {
				continue
			}
			if !g.dominates(j, i) {
				refuse("a loop has two entries")
			}
			if members[j] == nil {
				members[j] = map[int]bool{j: true}
			}
			for todo := []int{i}; len(todo) > 0; {
				b := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				g.spend(1)
				if !members[j][b] {
					members[j][b] = true
					todo = append(todo, g.pred[b]...)
				}
			}
		}
	}
	var all []*loop
	for head, in := range members {
		l := &loop{head: head}
		for b := range in {
			l.blocks = append(l.blocks, b)
		}
		slices.SortFunc(l.blocks, func(a, b int) int { return g.rank[a] - g.rank[b] })
		g.headed[head] = l
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b *loop) int {
		return cmp.Or(cmp.Compare(len(b.blocks), len(a.blocks)), g.rank[a.head]-g.rank[b.head])
	})
	for _, l := range all { // outer loops first
		if l.parent = g.inner[l.head]; l.parent != nil {
			l.depth = l.parent.depth + 1
		}
		if l.depth > maxLoops {
			refuse("loops nest deeper than %d", maxLoops)
		}
		for _, b := range l.blocks {
			g.inner[b] = l
		}
	}
}

// maxLoops is how deep loops may nest.
const maxLoops = 64

// in reports whether a block is in a loop; nil is the function.
func (g *graph) in(l *loop, block int) bool {
	m := g.inner[block]
	for ; m != nil && l != nil && m.depth > l.depth; m = m.parent {
	}
	return l == nil || m == l
}

// item is the block that stands for another at the level of a loop: the head of the loop between them, or the block.
func (g *graph) item(l *loop, block int) int {
	for m := g.inner[block]; m != l; m = m.parent {
		block = m.head
	}
	return block
}

// level lists what a loop (nil: the function) consists of: blocks, and inner loops by their heads, each after all
// others that lead to it.
func (g *graph) level(l *loop) []int {
	blocks, start := g.order, 0
	if l != nil {
		blocks, start = l.blocks, l.head
	}
	next := map[int][]int{}
	for _, b := range blocks {
		from := g.item(l, b)
		g.spend(len(g.succ[b]) + 1)
		for _, s := range g.succ[b] {
			if g.in(l, s) && (l == nil || s != l.head) {
				if to := g.item(l, s); to != from && !slices.Contains(next[from], to) {
					next[from] = append(next[from], to)
				}
			}
		}
	}
	for _, list := range next { // what is later in the function is visited first, and so comes last
		slices.SortFunc(list, func(a, b int) int { return g.rank[b] - g.rank[a] })
	}
	var post []int
	type visit struct{ block, next int }
	start = g.item(l, start)
	seen := map[int]bool{start: true}
	for stack := []visit{{start, 0}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		if v.next == len(next[v.block]) {
			post = append(post, v.block)
			stack = stack[:len(stack)-1]
			continue
		}
		to := next[v.block][v.next]
		v.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{to, 0})
		}
	}
	slices.Reverse(post)
	return post
}
