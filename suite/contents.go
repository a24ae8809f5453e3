package suite

import "bytes"

// contents are what the writable buffers of a case hold, guards included, by
// argument index; nil for the other arguments.
type contents [][]byte

// contents are a copy of what the writable buffers hold.
func (t *caseRun) contents() contents {
	c := make(contents, len(t.buffers))
	for i, b := range t.buffers {
		if b != nil && b.arg.Writable() {
			c[i] = bytes.Clone(b.data)
		}
	}
	return c
}

// restore puts contents back.
func (t *caseRun) restore(c contents) {
	for i, data := range c {
		if data != nil {
			copy(t.buffers[i].data, data)
		}
	}
}
