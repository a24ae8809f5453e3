package kernels

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"
)

// readByValue are buffers of which the inputs themselves say what is read, so that
// no shape does.
var readByValue = map[string]string{
	"embed_gather_4bit W_packed": "rows of tokens that the ids name",
	"embed_gather_4bit scales":   "rows of tokens that the ids name",
	"embed_gather_4bit biases":   "rows of tokens that the ids name",
}

// TestUnread asks the oracles about the declarations of what no result may depend
// on. NaN in all of it changes no answer, and NaN in any other element changes
// one: each element of a small buffer, and a sample of a large one. It takes the
// probes that are light, and the first; a short run only the first.
func TestUnread(t *testing.T) {
	source := ours(t)
	cases := probes(func(c suite.Case) bool {
		return hasFirstInput(c) && (isFirstProbe(c) || isLight(c) && !testing.Short())
	})
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			asked, err := kerneltest.Ask(source, c, 1)
			if err != nil {
				t.Fatal(err)
			}
			dependence{source, c, asked.Answers}.check(t)
		})
	}
}

// dependence is a case with its answers.
type dependence struct {
	source *suite.Shaders
	suite.Case
	answers suite.Answers
}

func (d dependence) check(t *testing.T) {
	for _, a := range d.Kernel.Args {
		if !a.Buffer() || a.Role == suite.RoleOut || readByValue[d.Kernel.Name+" "+a.Name] != "" {
			continue
		}
		unread := map[int]bool{}
		if a.Unread != nil {
			for _, r := range a.Unread(d.Shape) {
				for i := r.First; i < r.End; i++ {
					unread[i] = true
				}
			}
		}
		if len(unread) > 0 && d.changes(a, slices.Sorted(maps.Keys(unread))...) {
			t.Errorf("an answer depends on elements of %s that are declared unread", a.Name)
		}
		for _, i := range sample(a.Count(d.Shape)) {
			if !unread[i] && !d.changes(a, i) {
				t.Errorf("no answer depends on element %d of %s, which is not declared unread", i, a.Name)
				break
			}
		}
	}
}

// sample are all of n elements, or the ends and some between.
func sample(n int) []int {
	const most = 6
	if n <= most {
		return slices.Collect(func(yield func(int) bool) {
			for i := 0; i < n && yield(i); i++ {
			}
		})
	}
	r := rand.New(rand.NewPCG(uint64(n), 1))
	list := []int{0, n - 1}
	for range most - 2 {
		list = append(list, r.IntN(n))
	}
	return list
}

// changes reports whether an answer changes when elements of an argument become NaN,
// or other words. An element that the kernel leaves as it is changes itself, which
// does not count.
func (d dependence) changes(a suite.Arg, elements ...int) bool {
	c := d.Case
	c.Input.Fills = with(c.Input.Fills, a.Name, func(r *rand.Rand, s suite.Shape, x []float64) {
		fillOf(d.Case, a)(r, s, x)
		for _, i := range elements {
			if _, float := a.Type.Format(); float {
				x[i] = math.NaN()
			} else {
				x[i] = float64(uint32(int64(x[i])) ^ 0x55555555)
			}
		}
	})
	asked, err := kerneltest.Ask(d.source, c, 1)
	if err != nil {
		return true // an index that leads nowhere
	}
	for _, out := range d.Kernel.Args {
		if !out.Writable() {
			continue
		}
		kept := map[int]bool{}
		if out.Untouched != nil {
			for _, r := range out.Untouched(d.Shape) {
				for i := r.First; i < r.End; i++ {
					kept[i] = true
				}
			}
		}
		for i, want := range d.answers[out.Name].Want {
			got := asked.Answers[out.Name].Want[i]
			if !kept[i] && got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				return true
			}
		}
	}
	return false
}

// fillOf is the fill of an argument.
func fillOf(c suite.Case, a suite.Arg) suite.Fill {
	if f := c.Input.Fills[a.Name]; f != nil {
		return f
	}
	if _, float := a.Type.Format(); float {
		return suite.Normal
	}
	return suite.AnyBits
}
