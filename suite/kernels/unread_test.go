package kernels

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"metalconform/suite"
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
// one: each element of a small buffer, and a sample of a large one.
func TestUnread(t *testing.T) {
	source := ours(t)
	for _, family := range All() {
		for i := range family.Kernels {
			k := family.Kernels[i]
			t.Run(k.Name, func(t *testing.T) {
				t.Parallel()
				for _, c := range probes(family.Name, k) {
					dependence{source, c, ask(t, source, c)}.check(t)
				}
			})
		}
	}
}

// probes are the cases of a kernel's probed shapes with its first family of inputs.
func probes(family string, k suite.Kernel) []suite.Case {
	k.Sweep = suite.Sweep{Shapes: k.Sweep.Probes, Inputs: k.Sweep.Inputs}
	if testing.Short() {
		k.Sweep.Shapes = k.Sweep.Shapes[:1]
	}
	return suite.Cases([]suite.Family{{Name: family, Kernels: []suite.Kernel{k}}}, suite.Quick)
}

func ask(t *testing.T, source *suite.Shaders, c suite.Case) suite.Answers {
	t.Helper()
	answers, err := suite.Ask(source, c, 1)
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	return answers
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
			t.Errorf("%s: an answer depends on elements of %s that are declared unread", d.Name, a.Name)
		}
		for _, i := range sample(a.Count(d.Shape)) {
			if !unread[i] && !d.changes(a, i) {
				t.Errorf("%s: no answer depends on element %d of %s, which is not declared unread", d.Name, i, a.Name)
				break
			}
		}
	}
}

// sample are all of n elements, or the ends and some between.
func sample(n int) []int {
	const most = 24
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
	answers, err := askRecovered(d.source, c)
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
			got := answers[out.Name].Want[i]
			if !kept[i] && got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				return true
			}
		}
	}
	return false
}

func fillOf(c suite.Case, a suite.Arg) suite.Fill {
	if f := c.Input.Fills[a.Name]; f != nil {
		return f
	}
	if _, float := a.Type.Format(); float {
		return suite.Normal
	}
	return suite.AnyBits
}

func askRecovered(source *suite.Shaders, c suite.Case) (answers suite.Answers, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return suite.Ask(source, c, 1)
}
