package suite

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
	asked    int64 // the oracle's numbers
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
			r.asked += n * number
		} else {
			r.asked += n * 4
		}
	}
	if a.Writable() {
		r.answered += n * 6 * number
		r.launched += 2*data + 4*data + 4*n
	}
}
