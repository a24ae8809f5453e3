package explore

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite"
)

// family is where one or more kernels are declared, such as the instances of a template, and what those launched so
// far have shown.
type family struct {
	learnt       map[string]int // of the lengths of buffers
	lengths      int            // kernels launched with other lengths
	fewer        int            // how often integers had to be made smaller
	observations []observation
	parts        []partObservation
	answers      answers
	tried        map[choiceKey]bool // by kernels of which no unspecified value counts
}

// choiceKey is where values are unspecified, in threadgroups of a size.
type choiceKey struct {
	metalrun.Choice
	size metalrun.Size
}

// answers are what findings of kernels in every way came to, which those of kernels that show the same come to as well.
type answers struct {
	grids  map[inGrid]string // without such a race; "": none was found
	grades map[findingKey]graded
}

// inGrid is a race in a launch with a grid, of threadgroups of a size.
type inGrid struct {
	findingKey
	grid string
	of   metalrun.Size
}

// graded is what the trials of a race have shown.
type graded struct {
	kernel string // that was tried
	grade  metalrun.Grade
	trials []metalrun.Trial
}

// elsewhere are the trials for a reader of what another kernel has shown.
func (g graded) elsewhere() (list []metalrun.Trial) {
	for _, t := range g.trials {
		t.What += " in " + g.kernel
		list = append(list, t)
	}
	return list
}

// with are the answers with others beside them that are asked for the first time.
func (a answers) with(b answers) answers {
	grids, grades := map[inGrid]string{}, map[findingKey]graded{}
	maps.Copy(grids, b.grids)
	maps.Copy(grids, a.grids)
	maps.Copy(grades, b.grades)
	maps.Copy(grades, a.grades)
	return answers{grids, grades}
}

// observation is what the last launch of kernels in threadgroups of a size has shown that counts, and of unspecified
// values and faults the first, which is the smallest: to try other values takes as long as the launch, several times.
type observation struct {
	size    metalrun.Size
	shown   map[findingKey]bool
	among   *multiSimdgroup // if the size is of one simdgroup where there may be several
	kernels int             // that were launched in every way and have shown it
	alike   int             // that have shown it in whole grids beside those
	missed  int             // of those, where a part of the grid had not shown it
}

// partObservation is what the last launch of kernels has shown in a part of the grid, where whole grids show more.
type partObservation struct {
	part, whole observation
	kernels     int
}

// multiSimdgroup is what the last launch of a kernel in threadgroups of several simdgroups has shown of races, and
// which of them are reported although one simdgroup has none.
type multiSimdgroup struct {
	size     metalrun.Size
	shown    map[findingKey]bool
	reported map[findingKey][]string // with what to state so that they are none; nil: nothing helps
}

// AlikeLaunched are the kernels of a family that are launched in every way, if they show the same.
const AlikeLaunched = 2

// mostWhole are further kernels that are launched like them in whole grids.
const mostWhole = 6

// mostMissed are kernels that a part of the grid may be launched of in vain, before all have the whole of it.
const mostMissed = 8

// mostObservations bounds what is kept of a place.
const mostObservations = 8

func observationOf(size metalrun.Size, first, last []Finding) observation {
	p := observation{size: size, shown: map[findingKey]bool{}}
	for _, o := range seen(first, last) {
		if o.Grade != metalrun.GradeNote {
			p.shown[o.key()] = true
		}
	}
	return p
}

// seen are the findings of the first and the last launch that a observation is made of.
func seen(first, last []Finding) []Finding {
	first = slices.DeleteFunc(slices.Clone(first), func(o Finding) bool { return !o.unspecified() && !o.ends() })
	last = slices.DeleteFunc(slices.Clone(last), Finding.unspecified)
	return slices.Concat(first, last)
}

func (p observation) same(q observation) bool {
	return p.size == q.size && maps.Equal(p.shown, q.shown) && p.among.same(q.among)
}

func multiSimdgroupOf(size metalrun.Size, last []Finding) *multiSimdgroup {
	c := &multiSimdgroup{size: size, shown: map[findingKey]bool{}, reported: map[findingKey][]string{}}
	for _, o := range last {
		if o.Grade != metalrun.GradeNote && o.Check == string(suite.CheckRace) {
			c.shown[o.key()] = true
		}
	}
	return c
}

func (c *multiSimdgroup) same(d *multiSimdgroup) bool {
	if c == nil || d == nil {
		return c == d
	}
	return c.size == d.size && maps.Equal(c.shown, d.shown)
}

func (p observation) String() string {
	text := fmt.Sprint(p.size, p.shown)
	if p.among != nil {
		text += fmt.Sprint(p.among.size, p.among.shown)
	}
	return text
}

// unspecified reports whether it has findings about unspecified values.
func (p observation) unspecified() bool {
	for at := range p.shown {
		if (Finding{Finding: metalrun.Finding{Check: at.check}}).unspecified() {
			return true
		}
	}
	return false
}

// usual reports whether enough kernels have shown a observation that others are launched like them.
func (p observation) usual() bool { return p.kernels >= AlikeLaunched }

// known reports whether a observation is that of enough kernels.
func (p *family) known(q observation) bool {
	return slices.ContainsFunc(p.observations, func(x observation) bool { return x.usual() && x.same(q) })
}

// partly reports whether a observation of a part of the grid is that of enough kernels, of which whole grids have all
// shown the same. What several simdgroups show beside it is not known of a part.
func (p *family) partly(q observation) bool {
	var of []partObservation
	for _, x := range p.parts {
		if x.part.same(q) {
			of = append(of, x)
		}
	}
	return len(of) == 1 && of[0].kernels >= AlikeLaunched && of[0].whole.among == nil
}

// learnPart takes over what a part of the grid and the whole of it have shown of one more kernel.
func (p *family) learnPart(part, whole observation) {
	p.parts = slices.Clone(p.parts)
	if i := slices.IndexFunc(p.parts,
		func(x partObservation) bool { return x.part.same(part) && x.whole.same(whole) }); i >= 0 {
		p.parts[i].kernels++
	} else if len(p.parts) < mostObservations {
		p.parts = append(p.parts, partObservation{part, whole, 1})
	}
}

// common reports whether what is usual in a size has been shown so often that a part of a grid will do. Where values
// that are unspecified count, it will not.
func (p *family) common(size metalrun.Size) bool {
	return !slices.ContainsFunc(p.observations, func(x observation) bool {
		return x.usual() && x.size == size && (x.missed == mostMissed || x.alike < mostWhole || x.unspecified())
	})
}

// tries reports whether other values than some that are unspecified were tried in kernels of the place.
func (p *family) tries(list []metalrun.Choice, size metalrun.Size) bool {
	return !slices.ContainsFunc(list, func(c metalrun.Choice) bool { return !p.tried[choiceKey{c, size}] })
}

// companies are those of observations that are known, and but for them the same as a observation.
func (p *family) companies(q observation) (list []*multiSimdgroup) {
	for _, x := range p.observations {
		if q.among = x.among; x.usual() && x.same(q) && !slices.ContainsFunc(list, x.among.same) {
			list = append(list, x.among)
		}
	}
	return list
}

// sizes are those of observations that are known.
func (p *family) sizes() (list []metalrun.Size) {
	for _, x := range p.observations {
		if x.usual() && !slices.Contains(list, x.size) {
			list = append(list, x.size)
		}
	}
	return list
}

// take takes over what one more kernel has shown.
func (p *family) take(q *exploration) {
	learnt := maps.Clone(p.learnt)
	if learnt == nil {
		learnt = map[string]int{}
	}
	maps.Copy(learnt, q.at.learnt)
	p.learnt, p.lengths, p.fewer = learnt, max(p.lengths, q.at.lengths), max(p.fewer, q.at.fewer)
	p.answers = p.answers.with(q.answers)
	if s := cmp.Or(q.shown, q.like); s != nil && !s.unspecified() {
		tried := maps.Clone(q.tried)
		maps.Copy(tried, p.tried)
		p.tried = tried
	}
	if q.like != nil {
		p.observations = slices.Clone(p.observations)
		x := &p.observations[slices.IndexFunc(p.observations, q.like.same)]
		x.alike++
		if q.inPart != nil {
			p.learnPart(*q.inPart, *q.like)
		}
		if q.part && x.missed < mostMissed && (q.inPart == nil || !p.partly(*q.inPart)) {
			x.missed++
		}
	}
	if q.shown == nil {
		return
	}
	list := slices.Clone(p.observations)
	if i := slices.IndexFunc(list, q.shown.same); i >= 0 {
		list[i].kernels++
	} else if len(list) < mostObservations {
		q.shown.kernels = 1
		list = append(list, *q.shown)
	}
	p.observations = list
}
