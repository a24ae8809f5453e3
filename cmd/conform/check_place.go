package main

import (
	"maps"
	"slices"

	"metalconform/metalrun"
)

// place is where one or more kernels are declared, such as the instances of a template, and what those launched so
// far have shown.
type place struct {
	learnt  map[string]int // of the lengths of buffers
	lengths int            // kernels launched with other lengths
	fewer   int            // how often integers had to be made smaller
	sights  []sight
}

// sight is what the last launch of kernels in threadgroups of a size has shown that counts, and of unspecified values and faults
// the first, which is the smallest: to try other values takes as long as the launch, several times.
type sight struct {
	size    metalrun.Size
	shown   map[placed]bool
	kernels int // that were launched in every way and have shown it
}

// mostAlike are kernels of a place that are launched in every way, if they show the same.
const mostAlike = 2

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

func (p sight) same(q sight) bool { return p.size == q.size && maps.Equal(p.shown, q.shown) }

// usual reports whether enough kernels have shown a sight that others are launched like them.
func (p sight) usual() bool { return p.kernels >= mostAlike }

// known reports whether a sight is that of enough kernels.
func (p *place) known(q sight) bool {
	return slices.ContainsFunc(p.sights, func(x sight) bool { return x.usual() && x.same(q) })
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
