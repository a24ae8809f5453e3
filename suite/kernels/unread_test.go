package kernels

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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
// one: each element of a small buffer, and of a large one its ends, those next to what
// is declared and a few between. It takes the probes of few operations, and the first;
// a short run only the first.
func TestUnread(t *testing.T) {
	source := ours(t)
	cases := probes(func(c suite.Case) bool {
		return inTime(c) && hasFirstInput(c) && (isFirstProbe(c) || operations(c) <= few/8 && !testing.Short())
	})
	for i, c := range cases {
		if testing.Short() && i%3 != 0 {
			continue
		}
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

// TestUnreadFamilies demands that the quick sweep fills each region that no result may
// depend on with each of the values that would show there.
func TestUnreadFamilies(t *testing.T) {
	met := map[string]map[string]bool{}
	for _, c := range casesWhere(func(c suite.Case) bool { return c.Pipeline == nil && launched(c) && !c.IsEnd() }) {
		for _, a := range c.Kernel.Args {
			if a.Unread == nil || !hasElements(a.Unread(c.Shape)) {
				continue
			}
			region := c.Kernel.Name + " " + a.Name
			if met[region] == nil {
				met[region] = map[string]bool{}
			}
			if fill, ok := strings.CutPrefix(c.Input.Name, "unread_"); ok {
				met[region][fill] = true
			}
		}
	}
	for _, k := range allKernels() {
		for _, a := range k.Args {
			if a.Unread == nil {
				continue
			}
			missing := slices.DeleteFunc([]string{"nan", "inf", "minus_inf", "huge", "minus_huge", "winning", "losing"},
				func(fill string) bool { return met[k.Name+" "+a.Name][fill] })
			if len(missing) > 0 {
				t.Errorf("%s: no probe fills what may not be read of %s with %s", k.Name, a.Name,
					strings.Join(missing, ", "))
			}
		}
	}
}

// hasElements reports whether one of the ranges is not empty.
func hasElements(ranges []suite.Range) bool {
	return slices.ContainsFunc(ranges, func(r suite.Range) bool { return r.First < r.End })
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
		for _, i := range sample(a.Count(d.Shape), unread) {
			if !d.changes(a, i) {
				t.Errorf("no answer depends on element %d of %s, which is not declared unread", i, a.Name)
				break
			}
		}
	}
}

// sample are the elements of n that are not declared unread: all if they are few, or
// the ends, some next to what is declared, and some between.
func sample(n int, unread map[int]bool) []int {
	const most = 6
	var read, edges []int
	for i := range n {
		if unread[i] {
			continue
		}
		read = append(read, i)
		if i == 0 || i == n-1 || unread[i-1] || unread[i+1] {
			edges = append(edges, i)
		}
	}
	if len(read) <= most {
		return read
	}
	r := rand.New(rand.NewPCG(uint64(n), 1))
	list := make([]int, most)
	for i := range list {
		if list[i] = read[r.IntN(len(read))]; i < most/2 && len(edges) > 0 {
			list[i] = edges[i*(len(edges)-1)/(most/2-1)]
		}
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
