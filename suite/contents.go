package suite

import "bytes"

// Contents are what the writable buffers of a case hold, guards included, by
// argument index; nil for the other arguments.
type Contents [][]byte

// Contents are a copy of what the writable buffers hold.
func (t *CaseRun) Contents() Contents {
	c := make(Contents, len(t.buffers))
	for i, b := range t.buffers {
		if b != nil && b.arg.Writable() {
			c[i] = bytes.Clone(b.data)
		}
	}
	return c
}

// Restore puts contents back.
func (t *CaseRun) Restore(c Contents) {
	for i, data := range c {
		if data != nil {
			copy(t.buffers[i].data, data)
		}
	}
}
