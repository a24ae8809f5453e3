package syntax

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var mutations = flag.Int("mutations", 400, "programs that TestMutatedPrograms makes")

// TestMutatedPrograms deletes, repeats, swaps and exchanges tokens of good
// programs. Whatever comes of it must not panic; what is accepted must print
// as source of the same tree. Bytes that a fuzzer changes seldom leave a
// program, tokens often do.
func TestMutatedPrograms(t *testing.T) {
	rounds := *mutations
	var corpus [][]Token
	var pool []Token
	add := func(name, text string) {
		toks, errs := Preprocess(name, map[string]string{name: text}, Config{})
		if errs != nil {
			t.Fatal(errs)
		}
		corpus = append(corpus, toks)
		pool = append(pool, toks...)
	}
	all := programs(t)
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		add(name, all[name])
	}
	for range 3 {
		for _, c := range statementTrees {
			add("x", prelude+"void test() { "+c.stmt+" }")
		}
		for _, c := range declarationTrees {
			add("x", c.decl)
		}
	}
	rng := rand.New(rand.NewPCG(1, uint64(rounds)))
	accepted := 0
	for range rounds {
		toks := slices.Clone(corpus[rng.IntN(len(corpus))])
		for range 1 + rng.IntN(2) {
			toks = mutate(toks, pool, rng)
		}
		var b strings.Builder
		if err := FprintTokens(&b, toks); err != nil {
			t.Fatal(err)
		}
		if roundTrip(t, b.String()) {
			accepted++
		}
	}
	if accepted < rounds/50 {
		t.Errorf("%d of %d programs are accepted, want more to test", accepted, rounds)
	}
}

func mutate(toks, pool []Token, rng *rand.Rand) []Token {
	i := rng.IntN(len(toks))
	n := min(1+rng.IntN(4), len(toks)-i)
	j := rng.IntN(len(toks))
	switch rng.IntN(5) {
	case 0:
		return slices.Delete(toks, i, i+n)
	case 1:
		return slices.Insert(toks, j, slices.Clone(toks[i:i+n])...)
	case 2:
		toks[i], toks[j] = toks[j], toks[i]
	case 3:
		toks[i] = pool[rng.IntN(len(pool))]
	default:
		k := rng.IntN(len(pool))
		return slices.Insert(toks, j, slices.Clone(pool[k:min(k+n, len(pool))])...)
	}
	return toks
}

// roundTrip parses text, prints it and parses that; it reports whether text
// was accepted.
func roundTrip(t *testing.T, text string) bool {
	t.Helper()
	first, errs := Parse("x", map[string]string{"x": text}, Config{})
	if errs != nil {
		return false
	}
	source := printed(t, first)
	second, errs := Parse("x", map[string]string{"x": source}, Config{})
	if errs != nil {
		t.Errorf("printed source is refused: %v\n%s\n%s", errs, text, source)
		return true
	}
	if a, b := dump(first), dump(second); a != b {
		t.Errorf("tree changes when printed:\n%s\n%s\n%s\n%s", text, source, a, b)
	}
	if again := printed(t, second); again != source {
		t.Errorf("prints differently the second time:\n%s\n%s", source, again)
	}
	return true
}
