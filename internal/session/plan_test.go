package session

import (
	"path/filepath"
	"strings"
	"testing"

	"metalconform/internal/budget"
	"metalconform/suite"
	"metalconform/suite/packs"
)

// usualDevices launch each case of a specification: the simulator, two that resolve what is unspecified against the
// kernel, and one that executes exactly.
const usualDevices = 4

// planOf is the plan of the cases of families.
func planOf(families []suite.Family, set suite.Set) *plan {
	p := newPlan(families, usualDevices)
	for _, c := range suite.Cases(families, set) {
		p.add(c)
	}
	return p
}

// TestHonestPlans: the full sweeps of the examples and of the packs, which are as large as specifications of a whole
// project are, fit in the budget of a run, and their quick sweeps in that of a gate if they are not of everything.
func TestHonestPlans(t *testing.T) {
	fits := func(name string, profile budget.Profile, p *plan) {
		t.Logf("%s: %d cases, %d elements on all devices, %d bytes held by %s", name, p.cases, p.elements, p.held,
			p.holds)
		if err := p.take(budget.New(profile)); err != nil || p.cases == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	files, err := filepath.Glob("../../examples/*/*.star")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		s := Specifications{Budget: budget.New(budget.Untrusted)}
		if err := s.Set(file); err != nil {
			t.Fatal(err)
		}
		fits(file, budget.Own, planOf(s.Families, suite.Full))
		fits(file, budget.Untrusted, planOf(s.Families, suite.Quick))
	}
	set := suite.Full
	if testing.Short() {
		set = suite.Quick
	}
	for _, name := range packs.Names() {
		p, err := packs.Read(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		fits(name, budget.Own, planOf(p.Families, set))
	}
}

// TestPlan counts by hand, and a plan that does not fit names the kernel that has most.
func TestPlan(t *testing.T) {
	family := func(kernels ...suite.Kernel) []suite.Family { return []suite.Family{{Name: "f", Kernels: kernels}} }
	kernel := func(name string, n int) suite.Kernel {
		return suite.Kernel{Name: name, Axes: []suite.Axis{"n"}, Args: suite.Args{
			{Name: "a", Role: suite.RoleIn, Type: suite.F32, Extents: []suite.Extent{suite.Axis("n")}},
			{Name: "y", Role: suite.RoleOut, Type: suite.F32, Extents: []suite.Extent{suite.Axis("n")}},
		}, Sweep: suite.Sweep{Probes: []suite.Shape{{"n": n}}}}
	}
	families := family(kernel("few", 10), kernel("many", 1000))
	p := newPlan(families, 3)
	for _, c := range suite.Cases(families, suite.Quick) {
		p.add(c)
	}
	if p.cases != 2 || p.elements != 2*10*3+2*1000*3 {
		t.Errorf("%d cases, %d elements", p.cases, p.elements)
	}
	for limit, want := range map[string]string{
		"cases=1":   "2 cases: more than 1 cases",
		"held=1000": "many/n=1000/input=normal holds about",
		"elements=6059": "6060 elements in 2 cases, 6000 of them of many, and 6000 of the case " +
			"many/n=1000/input=normal",
	} {
		b := budget.New(budget.Own)
		if err := b.Set(limit); err != nil {
			t.Fatal(err)
		}
		if err := p.take(b); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", limit, err, want)
		}
	}
	others := newPlan(family(kernel("few", 10)), 1)
	for _, c := range suite.Cases(families, suite.Quick) {
		others.add(c)
	}
	if others.cases != 1 || others.elements != 20 {
		t.Errorf("of one kernel: %d cases, %d elements", others.cases, others.elements)
	}
}
