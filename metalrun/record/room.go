package record

import (
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

// room is which launches are kept: those of the first cases of each kernel and pipeline,
// by the names that launches are for. A case is kept whole or not at all, since each of
// its launches starts from what the ones before it have left.
type room struct {
	groups map[string]*group
	files  map[string]*kept
	cut    map[string]bool // cases that are not kept
	want   string          // the one case that is still to be kept, if any
}

// group are cases in the order in which they began.
type group struct {
	cases []string
	files map[string][]string // by case
	bytes int
}

// kept is a launch of one or more cases.
type kept struct {
	group *group // that pays for it
	bytes int
	cases int
}

func newRoom() *room {
	return &room{groups: map[string]*group{}, files: map[string]*kept{}, cut: map[string]bool{}}
}

// admit reports whether a launch of so many bytes is kept, and which ones no longer are:
// where there is no room, the case that began last has to go.
func (r *room) admit(of, name string, n int) (keep bool, dropped []string) {
	wanted := r.want != "" && of != "" // launches of no case are tests of the device
	if r.cut[of] || wanted && of != r.want {
		return false, nil
	}
	label, _, _ := strings.Cut(of, "/")
	most := mostGroup
	if wanted {
		label, most = "/", mostWanted
	}
	g := r.groups[label]
	if g == nil {
		g = &group{files: map[string][]string{}}
		r.groups[label] = g
	}
	if _, begun := g.files[of]; !begun {
		g.cases = append(g.cases, of)
	}
	f := r.files[name]
	if f == nil {
		f = &kept{group: g, bytes: n}
		r.files[name] = f
		g.bytes += n
	}
	f.cases++
	g.files[of] = append(g.files[of], name)
	if n > mostLaunch {
		dropped = r.drop(g, of)
	}
	for len(g.cases) > 1 && g.bytes > most || g.bytes > max(most, mostCase) {
		dropped = append(dropped, r.drop(g, g.cases[len(g.cases)-1])...)
	}
	return !r.cut[of], dropped
}

// drop gives up a case, and has the launches that are of no other.
func (r *room) drop(g *group, of string) (launches []string) {
	for _, name := range g.files[of] {
		f := r.files[name]
		if f.cases--; f.cases == 0 {
			f.group.bytes -= f.bytes
			delete(r.files, name)
			launches = append(launches, name)
		}
	}
	delete(g.files, of)
	g.cases = slices.DeleteFunc(g.cases, func(c string) bool { return c == of })
	r.cut[of] = true
	return launches
}
