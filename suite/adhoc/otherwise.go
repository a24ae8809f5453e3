package adhoc

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A finding may be the fault of a guess: rows that lie on each other because every stride has the value of
// every length, a count beyond what an array of the kernel holds. So what is found is asked for again with
// other guesses.

// Otherwise is a kernel with other guesses.
type Otherwise struct {
	Kernel
	Apart  bool     // strides lie apart; no other integer is changed
	Stated []string // flags that state the other guesses
}

const (
	mostOthers = 16      // guesses of one integer
	few        = 8       // for a count: less than arrays of kernels hold
	many       = 4096    // for a length of rows
	rowStride  = 1 << 10 // elements, more than a row of guessed length has
	nextStride = 1 << 5  // of one stride to the next: more than rows of a guessed length have
	strides    = 3       // that lie apart
)

// strideName are names of strides, and of the strides in bytes of ggml with their axis.
var (
	strideName = regexp.MustCompile(`(?i)stride|pitch|^ld[a-z]?$|_ld[a-z]?$`)
	byteStride = regexp.MustCompile(`^nb\d*([0-3])$`)
)

// Otherwise are other guesses for integers that nobody has stated: first strides that lie apart, then each integer alone.
func (k *Kernel) Otherwise() []Otherwise {
	var list []Otherwise
	if apart := k.apart(); len(apart) > 0 {
		list = append(list, k.otherwise(true, apart...))
	}
	for _, p := range k.params {
		if !p.scalar() {
			continue
		}
		for _, m := range p.scalars {
			if _, given := k.spec.value(m.path, m.kind); m.kind != integer || given {
				continue
			}
			for _, x := range []float64{few, many} {
				if len(list) < mostOthers {
					list = append(list, k.otherwise(false, guess{m.path, x}))
				}
			}
		}
	}
	return list
}

// guess is a value for a scalar or an element, as [Spec.Args] has them.
type guess struct {
	name string
	x    float64
}

func (k *Kernel) otherwise(apart bool, guesses ...guess) Otherwise {
	spec := *k.spec
	spec.guesses = map[string]float64{}
	o := Otherwise{Kernel: *k, Apart: apart}
	for _, g := range guesses {
		spec.guesses[g.name] = g.x
		o.Stated = append(o.Stated, stated(g.name, g.x, false).flag)
	}
	o.spec, o.grown = &spec, map[string]int{}
	return o
}

// apart are strides, by their names, that are so far from each other that no two places fall together: the order does
// not matter then.
func (k *Kernel) apart() []guess {
	var list []guess
	next := 0
	add := func(name string, x float64) {
		if _, given := k.spec.Args[name]; !given {
			list = append(list, guess{name, x})
		}
	}
	for _, p := range k.params {
		if p.table() && strideName.MatchString(p.Name) {
			for i := range strides {
				add(fmt.Sprintf("%s[%d]", p.Name, i), far(strides-1-i))
			}
			continue
		}
		if !p.scalar() {
			continue
		}
		for _, m := range p.scalars {
			name := m.path[strings.LastIndexByte(m.path, '.')+1:]
			axis := byteStride.FindStringSubmatch(name)
			switch {
			case m.kind != integer:
			case axis != nil && axis[1] == "0":
				add(m.path, 4)
			case axis != nil:
				i, _ := strconv.Atoi(axis[1])
				add(m.path, 4*far(i-1))
			case !strideName.MatchString(name):
			case m.Count > 1:
				for i := range m.Count {
					add(fmt.Sprintf("%s[%d]", m.path, i), far(m.Count-1-i))
				}
			case strings.Contains(strings.ToLower(name), "batch"):
				add(m.path, far(strides-1))
			case strings.Contains(strings.ToLower(name), "ld"):
				add(m.path, far(0))
			default:
				add(m.path, far(next%strides))
				next++
			}
		}
	}
	return list
}

// far is the stride of an axis, counted from the innermost that has one.
func far(axis int) float64 {
	x := float64(rowStride)
	for range axis {
		x *= nextStride
	}
	return x
}
