package suite

import "sync"

// rooms are what cases of pipelines have turned out to take, for those that begin later: what stages make of the
// buffers of a pipeline is declared nowhere. Sweeps go from small to large.
type rooms struct {
	mu    sync.Mutex
	times map[*Pipeline]float64 // as often as [Case.room] has it, at most
}

// of is about the most bytes that judging a case takes at a time.
func (r *rooms) of(c Case) int64 {
	n := c.room()
	if c.Pipeline == nil {
		return n
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(float64(n) * max(1, r.times[c.Pipeline]))
}

// smallRoom is what a case has to take before it says how many times as much others do: what small ones hold depends
// on their sizes little, and one of no size would make every other wait for all of the memory.
const smallRoom = 1 << 20

// note takes in how many bytes a case of a pipeline has held; nobody asks a nil one.
func (r *rooms) note(c Case, held int64) {
	if r == nil {
		return
	}
	times := float64(held) / float64(max(c.room(), smallRoom))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.times == nil {
		r.times = map[*Pipeline]float64{}
	}
	r.times[c.Pipeline] = max(r.times[c.Pipeline], times)
}

// size is how many bytes the answers have.
func (a Answers) size() (n int64) {
	for _, x := range a {
		numbers := len(x.Want) + len(x.Sigma) + len(x.Systematic) + len(x.Scale)
		for _, t := range x.Budget {
			numbers += len(t.Error)
		}
		n += int64(8 * numbers)
	}
	return n
}

// size is how many bytes a problem's numbers have.
func (p *Problem) size() (n int64) {
	for _, x := range p.values {
		n += int64(8 * len(x))
	}
	for _, x := range p.words {
		n += int64(4 * len(x))
	}
	return n
}

// room is about the most bytes that judging a case takes at a time, 0 if a function of its specification cannot
// say: to judge it will tell why. A refused shape has no buffers, nor need their sizes make sense.
func (c Case) room() (n int64) {
	defer func() {
		if recover() != nil {
			n = 0
		}
	}()
	if c.Input.Name == refused {
		return 0
	}
	var r room
	for _, a := range c.Kernel.Args {
		if a.Buffer() {
			r.add(a, int64(a.Count(c.Shape)))
		}
	}
	n = max(r.filling, r.held+r.asked+r.answered, r.held+r.answered+r.launched)
	if c.Pipeline != nil {
		n = 3*n + r.known // what its stages make, and the buffers of one stage
	}
	return n
}

// room is what buffers take, in bytes, while a case goes on.
type room struct {
	held     int64 // from first to last: contents, and a copy of what must not change
	filling  int64 // at most while they are filled, with the numbers of one
	asked    int64 // the oracle's numbers, and those once more in an order of its own
	answered int64 // its answers: values, two terms of a budget, moments and scales
	launched int64 // contents before and after, what checks know of each word, and an error for each element
	known    int64 // what a pipeline knows of each element
}

// add takes in the buffer of an argument of n elements.
func (r *room) add(a Arg, n int64) {
	const number = 8
	data := n * int64(a.Type.Bytes())
	r.held += data
	r.known += n * (number + 1)
	if a.Role == RoleIn {
		r.held += data
	}
	if a.Role != RoleOut {
		r.filling = max(r.filling, r.held+n*number)
		if _, float := a.Type.Format(); float || a.Type.Bytes() > 4 {
			r.asked += 2 * n * number
		} else {
			r.asked += n * 4
		}
	}
	if a.Writable() {
		r.answered += n * 6 * number
		r.launched += 2*data + 4*data + 4*n
	}
}
