package record

import (
	"maps"
	"slices"
	"strings"
)

// Bounds of a recording, in bytes before compression.
const (
	mostLaunch = 1 << 20
	mostCase   = 4 << 20
	mostGroup  = 192 << 10 // of the cases of a kernel or of a pipeline, unless it is one case
	mostWanted = 4 << 20   // of the cases that are to be kept in any event
)

// room is which launches are kept: those of the first cases of each kernel and pipeline
// that fit, by the names that launches are for. A case is kept whole or not at all, since
// each of its launches starts from what the ones before it have left. Cases may run side
// by side: which ones stay is settled in their order, so that it does not depend on who
// comes first.
type room struct {
	groups map[string]int // bytes of the settled cases of a kernel or pipeline that stay
	wanted int            // the same of those that were wanted
	cases  map[string]*held
	users  map[string]int // how many cases have a launch
	want   string         // the one case that is still to be kept, if any
}

// held are the launches of a case.
type held struct {
	files   map[string]int // bytes of each
	bytes   int
	cut     bool // it is not kept
	settled bool
}

func newRoom() *room {
	return &room{groups: map[string]int{}, cases: map[string]*held{}, users: map[string]int{}}
}

// label is the kernel or pipeline of a case.
func label(of string) string {
	name, _, _ := strings.Cut(of, "/")
	return name
}

// held is what there is of a case.
func (r *room) held(of string) *held {
	c := r.cases[of]
	if c == nil {
		c = &held{files: map[string]int{}}
		r.cases[of] = c
	}
	return c
}

// fits reports whether a case may have so many bytes, given the cases that have been
// settled: further ones never make room.
func (r *room) fits(of string, n int) bool {
	switch g := r.groups[label(of)]; {
	case n > mostCase:
		return false
	case of == "":
		return true // launches of no case are tests of the device
	case of == r.want:
		return r.wanted+n <= mostWanted
	default:
		return r.want == "" && (g == 0 || g+n <= mostGroup)
	}
}

// admit reports whether a launch of so many bytes is kept so far, and which ones no longer
// are.
func (r *room) admit(of, name string, n int) (keep bool, dropped []string) {
	c := r.held(of)
	had, again := c.files[name]
	switch {
	case c.cut || c.settled:
		return again, nil
	case n > mostLaunch || !r.fits(of, c.bytes-had+n):
		return false, r.drop(c)
	case !again:
		r.users[name]++
	}
	c.files[name] = n
	c.bytes += n - had
	return true, nil
}

// settle decides on a case whose launches are over, after all cases before it: it stays if
// there is room. It returns the launches that do not.
func (r *room) settle(of string) (dropped []string) {
	c := r.held(of)
	if !c.cut && !c.settled && !r.fits(of, c.bytes) {
		dropped = r.drop(c)
	}
	switch {
	case c.cut || c.settled:
	case of == r.want:
		r.wanted += c.bytes
	default:
		r.groups[label(of)] += c.bytes
	}
	c.settled = true
	return dropped
}

// wants has a case that was not kept begin anew, with room of its own, and reports
// whether that is needed.
func (r *room) wants(of string) bool {
	r.want = of
	if c := r.held(of); !c.cut {
		return false
	}
	delete(r.cases, of)
	return true
}

// drop gives up a case, and has the launches that are of no other.
func (r *room) drop(c *held) (launches []string) {
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		if r.users[name]--; r.users[name] == 0 {
			delete(r.users, name)
			launches = append(launches, name)
		}
	}
	*c = held{files: map[string]int{}, cut: true}
	return launches
}
