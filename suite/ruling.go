package suite

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"metalconform/oracles"
)

// Ruling is what a specification asks of one case, as far as it can be compared with what another one asks.
type Ruling struct {
	contract string
	launches [sha256.Size]byte // geometry and scalars
	inputs   [sha256.Size]byte
	demands  []string // what else it asks for
	answers  Answers
	failed   error
}

// RulingOn asks the definition of a case. Of a table that only a program holds any numbers do: a ruling is about the
// specification alone.
func RulingOn(c Case, seed uint64) (r Ruling) {
	r.contract = c.Kernel.terms()
	if c.Pipeline != nil || c.Kernel.Oracle == nil {
		return r
	}
	defer func() {
		if p := recover(); p != nil {
			r.failed = fmt.Errorf("%v", p)
		}
	}()
	t := newCaseRun(c, caseOptions{seed: seed})
	if r.failed = t.FillBuffers(); r.failed != nil {
		return r
	}
	t.tables = map[string][]float64{}
	for _, table := range c.Tables() {
		t.tables[table.Name] = table.assumed()
	}
	r.inputs, r.launches, r.demands = t.inputDigest(), t.launchDigest(), t.demands()
	r.answers = t.Kernel.Oracle(t.problem())
	return r
}

// RulingChange is how two rulings on one case differ.
type RulingChange struct {
	Contract [2]string // before and after, where they differ
	Inputs   bool      // are other ones
	Launches bool      // have other grids, scalars or windows, or are of another build
	Asked    int       // elements that the former asks for
	Freed    int       // elements of which the latter asks nothing, and the former does
	Other    int       // elements for which they ask for different values
	Wider    int       // elements whose bound is wider
	Demand   string    // the first that only the former makes; "" for none
	Broken   string    // why the latter asks for nothing at all; "" if it does
}

// Loosens reports whether a kernel might conform that did not, or conform for another reason.
func (c RulingChange) Loosens() bool {
	return c.Contract != [2]string{} || c.Inputs || c.Launches || c.Freed+c.Other+c.Wider > 0 ||
		c.Demand != "" || c.Broken != ""
}

// sameDefinition is how near two float64 evaluations of one definition are: their sums may be in another order.
const sameDefinition = 1e-9

// Since says how the ruling differs from a former one.
func (r Ruling) Since(was Ruling) (c RulingChange) {
	if was.contract != r.contract {
		c.Contract = [2]string{was.contract, r.contract}
	}
	if was.failed != nil {
		return c // it asked for nothing
	}
	if r.failed != nil {
		c.Broken = r.failed.Error()
		return c
	}
	c.Inputs, c.Launches = was.inputs != r.inputs, was.launches != r.launches
	if i := slices.IndexFunc(was.demands, func(d string) bool { return !slices.Contains(r.demands, d) }); i >= 0 {
		c.Demand = was.demands[i]
	}
	for name, a := range was.answers {
		b, there := r.answers[name]
		scale := largest(a.Want)
		for i, want := range a.Want {
			if isAny(a, i) {
				continue
			}
			c.Asked++
			switch {
			case !there || i >= len(b.Want) || isAny(b, i):
				c.Freed++
			case !c.Inputs && !sameValue(want, b.Want[i], scale):
				c.Other++
			case len(a.Budget) > 0 && b.Bound(i) > a.Bound(i)*(1+sameDefinition):
				c.Wider++
			}
		}
		c.Freed += lessStrict(a, b, there)
	}
	return c
}

// lessStrict is the number of elements if an answer no longer asks for bits, or for a definition by itself.
func lessStrict(was, is oracles.Answer, there bool) int {
	if there && (was.Exact && !is.Exact || was.Signed && !is.Signed || was.Plain && !is.Plain ||
		was.Stored == nil && is.Stored != nil) {
		return len(was.Want)
	}
	return 0
}

// isAny reports whether an element may be anything.
func isAny(a oracles.Answer, i int) bool { return i < len(a.Any) && a.Any[i] }

// sameValue reports whether two values may come of one definition whose values are as large as scale.
func sameValue(a, b, scale float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= sameDefinition*max(math.Abs(a), scale*1e-6)
}

// largest is the largest finite magnitude.
func largest(list []float64) (most float64) {
	for _, x := range list {
		if !math.IsInf(x, 0) {
			most = max(most, math.Abs(x))
		}
	}
	return most
}

// inputDigest is a digest of what the buffers hold.
func (t *CaseRun) inputDigest() (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, b := range t.buffers {
		if b != nil && b.arg.Role != RoleOut {
			fmt.Fprintln(h, b.arg.Name, b.arg.Type)
			h.Write(b.payload())
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// demands are what a specification asks for beside values, each by itself.
func (t *CaseRun) demands() (list []string) {
	if t.Input.Random {
		list = append(list, "errors as small as those of independent roundings")
	}
	for _, a := range t.Kernel.Args {
		if a.Struct != "" {
			list = append(list, fmt.Sprintf("%s of type %s", a.Name, a.Struct))
		}
		if (a.Role == RoleOut || a.Role == RoleInOut) && a.Unordered == "" {
			list = append(list, "the order of elements of "+a.Name)
		}
		if a.Untouched != nil {
			list = append(list, fmt.Sprintf("%s as it was at %v", a.Name, a.Untouched(t.Shape)))
		}
		if a.Unread != nil {
			list = append(list, fmt.Sprintf("results without %s at %v", a.Name, a.Unread(t.Shape)))
		}
	}
	for _, table := range t.Case.Tables() {
		text := table.Name + " as numbers of the program"
		if table.Held != nil {
			text += " of SHA-256 " + table.Held.SHA256
		}
		list = append(list, text)
	}
	return list
}

// assumed are the numbers of a table, or as many others where only the program has them.
func (t Table) assumed() []float64 {
	if t.Held == nil {
		return t.Values
	}
	list := make([]float64, t.Held.Count)
	for i := range list {
		list[i] = float64(i % 16)
	}
	return list
}

// launchDigest is a digest of the grids, scalars and windows of the launches, and of the build.
func (t *CaseRun) launchDigest() (sum [sha256.Size]byte) {
	h := sha256.New()
	fmt.Fprintln(h, t.Build().Key(), t.Arithmetic())
	for _, e := range t.Kernel.ThreadgroupMemory {
		fmt.Fprint(h, e.Size(t.Shape), " ")
	}
	for _, l := range t.LaunchSequence() {
		shape := t.Shape.With(l.Shape)
		fmt.Fprintln(h, l.Windows, l.Buffers)
		for _, side := range [][]Extent{t.Kernel.Grid.Threadgroups, t.Kernel.Grid.Threads, t.Kernel.Grid.Of} {
			for _, e := range side {
				fmt.Fprint(h, e.Size(shape), " ")
			}
			fmt.Fprintln(h)
		}
		for _, a := range t.Kernel.Args {
			if len(a.Scalars()) > 0 {
				h.Write(a.inline(t.Shape, l))
			}
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// terms is what a result may be off by, in words.
func (k *Kernel) terms() string {
	text := k.Contract.String()
	if k.Arithmetic != nil {
		text = "the definition, evaluated in " + k.Arithmetic.String()
	}
	return text + [...]string{", with the roundings of its values or without", "",
		", without roundings of its values"}[k.Roundings]
}
