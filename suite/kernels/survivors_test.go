package kernels

import (
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite/mutate"
)

// How many mutants TestSurvivors looks at: of those that are explained it compares
// some with the original, and judges some, and some others, in a few kernels. All of
// them take minutes:
//
//	conform mutate -annotations suite/kernels/testdata/survivors
const (
	explainedCompared = 12
	explainedJudged   = 1
	othersJudged      = 3
	kernelsJudged     = 2
)

// TestSurvivors keeps testdata/survivors in step with the kernels and their sweeps.
// What is explained there has to be a mutant, and one that no proof settles; of those,
// and of the others, a part is judged, in a few kernels: the former have to survive, the
// latter to die. Which parts follows from the sources and the sweeps, so that they are
// others after every change to them.
func TestSurvivors(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("judges mutants of several kernels")
	}
	annotations, err := mutate.ReadAnnotations("testdata/survivors")
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]mutate.Annotation{}
	for _, e := range annotations {
		explained[e.Key] = e
	}
	plan := planned(t, nil, nil)
	kernels := map[string]string{} // the first that a mutant concerns
	for _, m := range plan.Mutants() {
		kernels[m.Key] = m.Kernels[0]
	}
	var listed []string
	for _, e := range annotations {
		if kernels[e.Key] == "" {
			t.Errorf("%s:%d: no mutant is called %s", e.File, e.Line, e.Key)
			continue
		}
		listed = append(listed, e.Key)
	}

	settled := planned(t, drawn(listed, explainedCompared, plan.Sources), nil)
	if err := settled.Compare(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, m := range settled.Mutants() {
		if m.Fate != "" {
			e := explained[m.Key]
			t.Errorf("%s:%d: the mutant is %s %s%s%s: %s", e.File, e.Line, m.Fate, m.Proof, m.Of, m.Reason, m.Key)
		}
	}

	among := drawn(slices.Compact(slices.Sorted(maps.Values(kernels))), kernelsJudged, plan.Sources)
	var known, others []string
	for _, key := range slices.Sorted(maps.Keys(kernels)) {
		_, ok := explained[key]
		switch {
		case !slices.Contains(among, kernels[key]):
		case ok:
			known = append(known, key)
		default:
			others = append(others, key)
		}
	}
	part := append(drawn(known, explainedJudged, plan.Sources), drawn(others, othersJudged, plan.Sources)...)
	judged := planned(t, part, among)
	if err := judged.Decide(context.Background(), nil, func(mutate.Mutant) {}); err != nil {
		t.Fatal(err)
	}
	for _, m := range judged.Mutants() {
		switch e, ok := explained[m.Key]; {
		case ok && m.Fate == mutate.Killed:
			t.Errorf("%s:%d: the mutant is killed in %s: %s", e.File, e.Line, m.Case, m.Key)
		case !ok && m.Fate == mutate.Survived:
			t.Errorf("a survivor without an explanation in testdata/survivors: %s\n%s", m.Key, m.Diff)
		case m.Fate == mutate.Broken:
			t.Errorf("%s was not judged: %s", m.Key, m.Reason)
		}
	}
}

// planned are the mutants of our kernels as conform mutate judges them: those with
// the keys, or all; of the kernels with the names, or of all.
func planned(t testing.TB, keys, names []string) *mutate.Plan {
	t.Helper()
	m := &mutate.Mutation{
		Shaders: ours(t), Cases: quickCases(), Seed: 1, Rule: mutate.ByVerdict, Kernels: names,
		Devices: []mutate.Device{simulated("reference", false), simulated("checking", true)},
	}
	if keys != nil {
		wanted := map[string]bool{}
		for _, k := range keys {
			wanted[k] = true
		}
		m.Only = func(key string) bool { return wanted[key] }
	}
	p, err := m.Plan()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// simulated is a device that judges mutants. One that checks launches looks at each
// shape once.
func simulated(name string, check bool) mutate.Device {
	return mutate.Device{Name: name, Shapes: check, Open: func(steps int64) metalrun.Runner {
		return sim.New(sim.Semantics{Steps: steps, Check: check})
	}}
}

// drawn are n of the keys: those whose digests with salt are the smallest.
func drawn(keys []string, n int, salt string) []string {
	rank := map[string]string{}
	for _, k := range keys {
		sum := sha256.Sum256([]byte(salt + " " + k))
		rank[k] = string(sum[:])
	}
	keys = slices.Clone(keys)
	slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	return keys[:min(n, len(keys))]
}
