package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite"
)

// place is where one or more kernels are declared, such as the instances of a template, and what those launched so
// far have shown.
type place struct {
	learnt  map[string]int // of the lengths of buffers
	lengths int            // kernels launched with other lengths
	fewer   int            // how often integers had to be made smaller
	sights  []sight
	parts   []partSight
	answers answers
	tried   map[trialSite]bool // by kernels of which no unspecified value counts
}

// trialSite is where values are unspecified, in threadgroups of a size.
type trialSite struct {
	metalrun.Choice
	size metalrun.Size
}

// answers are what findings of kernels in every way came to, which those of kernels that show the same come to as well.
type answers struct {
	grids  map[inGrid]string // without such a race; "": none was found
	grades map[placed]graded
}

// inGrid is a race in a launch with a grid, of threadgroups of a size.
type inGrid struct {
	placed
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
	grids, grades := map[inGrid]string{}, map[placed]graded{}
	maps.Copy(grids, b.grids)
	maps.Copy(grids, a.grids)
	maps.Copy(grades, b.grades)
	maps.Copy(grades, a.grades)
	return answers{grids, grades}
}

// sight is what the last launch of kernels in threadgroups of a size has shown that counts, and of unspecified values and faults
// the first, which is the smallest: to try other values takes as long as the launch, several times.
type sight struct {
	size    metalrun.Size
	shown   map[placed]bool
	among   *company // if the size is of one simdgroup where there may be several
	kernels int      // that were launched in every way and have shown it
	alike   int      // that have shown it in whole grids beside those
	missed  int      // of those, where a part of the grid had not shown it
}

// partSight is what the last launch of kernels has shown in a part of the grid, where whole grids show more.
type partSight struct {
	part, whole sight
	kernels     int
}

// company is what the last launch of a kernel in threadgroups of several simdgroups has shown of races, and which of them are told
// although one simdgroup has none.
type company struct {
	size  metalrun.Size
	shown map[placed]bool
	told  map[placed][]string // with what to state so that they are none; nil: nothing helps
}

// mostAlike are kernels of a place that are launched in every way, if they show the same.
const mostAlike = 2

// mostWhole are further kernels that are launched like them in whole grids.
const mostWhole = 6

// mostMissed are kernels that a part of the grid may be launched of in vain, before all have the whole of it.
const mostMissed = 8

// mostSights bounds what is kept of a place.
const mostSights = 8

func sightOf(size metalrun.Size, first, last []observation) sight {
	p := sight{size: size, shown: map[placed]bool{}}
	for _, o := range seen(first, last) {
		if o.Grade != metalrun.GradeNote {
			p.shown[o.placed()] = true
		}
	}
	return p
}

// seen are the observations of the first and the last launch that a sight is made of.
func seen(first, last []observation) []observation {
	first = slices.DeleteFunc(slices.Clone(first), func(o observation) bool { return !o.unspecified() && !o.ends() })
	last = slices.DeleteFunc(slices.Clone(last), observation.unspecified)
	return slices.Concat(first, last)
}

func (p sight) same(q sight) bool {
	return p.size == q.size && maps.Equal(p.shown, q.shown) && p.among.same(q.among)
}

func companyOf(size metalrun.Size, last []observation) *company {
	c := &company{size: size, shown: map[placed]bool{}, told: map[placed][]string{}}
	for _, o := range last {
		if o.Grade != metalrun.GradeNote && o.Check == string(suite.CheckRace) {
			c.shown[o.placed()] = true
		}
	}
	return c
}

func (c *company) same(d *company) bool {
	if c == nil || d == nil {
		return c == d
	}
	return c.size == d.size && maps.Equal(c.shown, d.shown)
}

func (p sight) String() string {
	text := fmt.Sprint(p.size, p.shown)
	if p.among != nil {
		text += fmt.Sprint(p.among.size, p.among.shown)
	}
	return text
}

// unspecified reports whether it has findings about unspecified values.
func (p sight) unspecified() bool {
	for at := range p.shown {
		if (observation{Finding: metalrun.Finding{Check: at.check}}).unspecified() {
			return true
		}
	}
	return false
}

// usual reports whether enough kernels have shown a sight that others are launched like them.
func (p sight) usual() bool { return p.kernels >= mostAlike }

// known reports whether a sight is that of enough kernels.
func (p *place) known(q sight) bool {
	return slices.ContainsFunc(p.sights, func(x sight) bool { return x.usual() && x.same(q) })
}

// partly reports whether a sight of a part of the grid is that of enough kernels, of which whole grids have all shown the same.
// What several simdgroups show beside it is not known of a part.
func (p *place) partly(q sight) bool {
	var of []partSight
	for _, x := range p.parts {
		if x.part.same(q) {
			of = append(of, x)
		}
	}
	return len(of) == 1 && of[0].kernels >= mostAlike && of[0].whole.among == nil
}

// learnPart takes over what a part of the grid and the whole of it have shown of one more kernel.
func (p *place) learnPart(part, whole sight) {
	p.parts = slices.Clone(p.parts)
	if i := slices.IndexFunc(p.parts, func(x partSight) bool { return x.part.same(part) && x.whole.same(whole) }); i >= 0 {
		p.parts[i].kernels++
	} else if len(p.parts) < mostSights {
		p.parts = append(p.parts, partSight{part, whole, 1})
	}
}

// common reports whether what is usual in a size has been shown so often that a part of a grid will do. Where values that are
// unspecified count, it will not.
func (p *place) common(size metalrun.Size) bool {
	return !slices.ContainsFunc(p.sights, func(x sight) bool {
		return x.usual() && x.size == size && (x.missed == mostMissed || x.alike < mostWhole || x.unspecified())
	})
}

// tries reports whether other values than some that are unspecified were tried in kernels of the place.
func (p *place) tries(list []metalrun.Choice, size metalrun.Size) bool {
	return !slices.ContainsFunc(list, func(c metalrun.Choice) bool { return !p.tried[trialSite{c, size}] })
}

// companies are those of sights that are known, and but for them the same as a sight.
func (p *place) companies(q sight) (list []*company) {
	for _, x := range p.sights {
		if q.among = x.among; x.usual() && x.same(q) && !slices.ContainsFunc(list, x.among.same) {
			list = append(list, x.among)
		}
	}
	return list
}

// sizes are those of sights that are known.
func (p *place) sizes() (list []metalrun.Size) {
	for _, x := range p.sights {
		if x.usual() && !slices.Contains(list, x.size) {
			list = append(list, x.size)
		}
	}
	return list
}

// take takes over what one more kernel has shown.
func (p *place) take(q *inquiry) {
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
		p.sights = slices.Clone(p.sights)
		x := &p.sights[slices.IndexFunc(p.sights, q.like.same)]
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
	list := slices.Clone(p.sights)
	if i := slices.IndexFunc(list, q.shown.same); i >= 0 {
		list[i].kernels++
	} else if len(list) < mostSights {
		q.shown.kernels = 1
		list = append(list, *q.shown)
	}
	p.sights = list
}
