package host

import (
	"fmt"
	"slices"
)

// region is a part of a buffer that the program has announced, such as a tensor.
type region struct {
	span
	name string
}

// Announce says what lies in a part of the buffer: a launch that binds the part is not to leave it.
func (b *Buffer) Announce(offset, length int, name string) {
	b.regionsMu.Lock()
	defer b.regionsMu.Unlock()
	s := b.span(offset, length)
	b.regions = append(slices.DeleteFunc(b.regions, func(r region) bool { return r.meets(s) }), region{s, name})
}

// region is the part that has a byte; ok is false if none is announced.
func (b *Buffer) region(offset int) (r region, ok bool) {
	b.regionsMu.Lock()
	defer b.regionsMu.Unlock()
	at := b.span(offset, 1)
	for _, r := range b.regions {
		if r.meets(at) {
			return r, true
		}
	}
	return r, false
}

// inRegions reports accesses of a launch that leave the parts of a buffer which the launch binds. Bindings of one
// buffer are one memory, so that all of their parts count.
func (c *command) inRegions() {
	for _, a := range c.accesses {
		var bound []region
		complete := true
		for _, b := range c.launch.table {
			if b.buffer == a.buffer {
				r, ok := b.buffer.region(b.offset)
				bound, complete = append(bound, r), complete && ok
			}
		}
		if !complete || len(bound) == 0 {
			continue
		}
		outside := a.spans
		for _, r := range bound {
			outside = without(outside, r.span)
		}
		if len(outside) == 0 {
			continue
		}
		at := int(outside[0].lo - a.buffer.base())
		c.host().found(Finding{Check: CheckRegion, Command: c.name(), Kernel: c.kernel(), Position: a.Position,
			Text: c.line(a.Position),
			Message: fmt.Sprintf("%s %s byte %d of %s, outside of '%s', which is bound", c.kernel(), a.does, at,
				a.buffer.name(), bound[0].name)})
	}
}
