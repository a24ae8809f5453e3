package machine

import (
	"metalconform/metalrun/internal/simt/lanes"
)

// RowLoop is a counted loop down the rows of a private array, with a sum over the rows: one call does all iterations.
// The loop itself is kept for uncommon cases and for all that can fault.
type RowLoop struct {
	Loop *Counted
	Row  *Row    // of the iteration
	Sum  Operand // slot
	T, U *WordLoad

	Kind  rowLoopKind
	Scale int     // uniform register
	Add   Operand // slot
}

type rowLoopKind uint8

const (
	DotsRows    rowLoopKind = iota // sum += row·t
	ScalesRows                     // row *= scale; sum += row·t
	UpdatesRows                    // row += add·t; sum += row·u
)

// WordLoad is a load of a word at a uniform index into a uniform register.
type WordLoad struct {
	Access *MemoryAccess
	Extra  int64
	Into   int
}

// words gives the words that n iterations of a loop read, if they exist.
func (w *WordLoad) words(m *Machine, n int) ([]uint32, bool) {
	from, off, ok := w.Access.Whence(m)
	off += w.Access.In.Mem.Disp + w.Extra
	if !ok || off&3 != 0 {
		return nil, false
	}
	first := WordIndex(m.Uni32[w.Access.Scalar], w.Access.In.Mem.IndexSigned) + off>>2
	if first < 0 || first > int64(len(from.Words)-n) {
		return nil, false
	}
	return from.Words[first : first+int64(n)], true
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *RowLoop) Run(m *Machine) bool {
	trips, row, t, u, ok := n.Ready(m)
	if !ok {
		return n.Loop.Run(m)
	}
	n.All(m, trips, row, t, u)
	return true
}

// Ready gives the number of remaining iterations, the row of the first, and the words that they read. ok is false if
// one call cannot do them.
func (n *RowLoop) Ready(m *Machine) (trips int, row int64, t, u []uint32, ok bool) {
	if trips, ok = n.Loop.all(m); !ok || !m.Full || m.N < m.Stride {
		return 0, 0, nil, nil, false
	}
	row = WordIndex(m.Uni32[n.Loop.Counter], n.Row.Signed) + n.Row.Shift
	if row < 0 || row > int64(n.Row.Size-trips) {
		return 0, 0, nil, nil, false
	}
	if t, ok = n.T.words(m, trips); ok && n.U != nil {
		u, ok = n.U.words(m, trips)
	}
	return trips, row, t, u, ok
}

// All does the iterations.
func (n *RowLoop) All(m *Machine, trips int, row int64, t, u []uint32) {
	at := (n.Row.First + int(row)) * m.Stride
	n.call(m.P.Table, m, m.Private[at:at+trips*m.N], t, u)
	m.Uni32[n.T.Into] = t[trips-1]
	if n.U != nil {
		m.Uni32[n.U.Into] = u[trips-1]
	}
	n.Loop.finish(m, trips)
}

func (n *RowLoop) call(table *lanes.Table, m *Machine, rows, t, u []uint32) {
	d := m.Operand(&n.Sum)
	switch n.Kind {
	case DotsRows:
		table.DotRows(d, rows, m.N, t)
	case ScalesRows:
		table.ScaleRows(d, rows, m.Uni32[n.Scale], t)
	case UpdatesRows:
		table.UpdateRows(d, rows, m.Operand(&n.Add), t, u)
	}
}

// IfLoads gives r if it uses all loads, or nil.
func (r *RowLoop) IfLoads(loads []*WordLoad) *RowLoop {
	for _, w := range loads {
		if w != r.T && w != r.U {
			return nil
		}
	}
	return r
}

// Same reports whether two rows are the same.
func (r *Row) Same(s *Row) bool {
	return r.Size == s.Size && r.Size > 0 && r.First == s.First && r.Scalar == s.Scalar && r.Shift == s.Shift &&
		r.Signed == s.Signed
}

// LoadOf is the load whose result a uniform operand is, or nil.
func LoadOf(loads []*WordLoad, o Operand) *WordLoad {
	for _, w := range loads {
		if o.Uniform() && w.Into == o.At {
			return w
		}
	}
	return nil
}

// RunLoop is a counted loop with a weighted sum of equidistant runs of memory: one call does all iterations.
type RunLoop struct {
	Loop *Counted
	Runs *Run    // of the iteration
	Sum  Operand // slot
	T    *WordLoad
	Rest Straight // the uniform instructions of an iteration: they compute where the run lies
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *RunLoop) Run(m *Machine) bool {
	trips, ok := n.Loop.all(m)
	if !ok {
		return n.Loop.Run(m)
	}
	t, ok := n.T.words(m, trips)
	if !ok {
		return n.Loop.Run(m)
	}
	rows, stride, ok := n.rows(m, trips)
	if !ok {
		return n.Loop.Run(m)
	}
	m.P.Table.DotRows(m.Operand(&n.Sum), rows, stride, t)
	m.Uni32[n.T.Into] = t[trips-1]
	n.Loop.finish(m, trips)
	return true
}

// rows gives the runs of all iterations. It leaves the uniform registers as the last iteration does. If ok is false,
// the counter is unchanged and the other registers hold anything: each iteration sets them before it reads them.
func (n *RunLoop) rows(m *Machine, trips int) (rows []uint32, stride int, ok bool) {
	counter := &m.Uni32[n.Loop.Counter]
	first := *counter
	defer func() { *counter = first }()
	var ends [2]Extent
	for i, iteration := range []int{0, min(1, trips-1)} {
		*counter = first + uint32(iteration)
		n.Rest.Run(m)
		if ends[i], ok = n.Runs.Access.Extent(m); !ok {
			return nil, 0, false
		}
	}
	*counter = first + uint32(trips-1)
	n.Rest.Run(m)
	return ends[0].rows(ends[1], trips, m.N)
}
