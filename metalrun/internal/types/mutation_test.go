package types

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

var tokens = regexp.MustCompile(`[A-Za-z_]\w*|\d[\w.]*|\s+|.`)

// mutate changes one token of a program: it is dropped, doubled, or replaced by
// another of the program.
func mutate(r *rand.Rand, words []string) string {
	words = slices.Clone(words)
	i := r.IntN(len(words))
	for strings.TrimSpace(words[i]) == "" {
		i = r.IntN(len(words))
	}
	switch r.IntN(3) {
	case 0:
		words[i] = ""
	case 1:
		words[i] += " " + words[i]
	case 2:
		words[i] = words[r.IntN(len(words))]
	}
	return strings.Join(words, "")
}

// Whatever a program says, the checker ends with a tree that keeps its promises
// or with an error at a position in the file.
func TestMutatedPrograms(t *testing.T) {
	files := testFiles(t, "testdata/ok/*/*.metal")
	rounds := 8
	if testing.Short() {
		rounds = 4
	}
	accepted, refused := 0, 0
	for _, path := range sortedKeys(files) {
		words := tokens.FindAllString(files[path], -1)
		r := rand.New(rand.NewPCG(7, uint64(len(words))))
		for range rounds {
			text := mutate(r, words)
			if checkMutant(t, filepath.Base(path), text) {
				accepted++
			} else {
				refused++
			}
		}
	}
	if accepted == 0 || refused == 0 {
		t.Errorf("%d mutants accepted, %d refused: want some of both", accepted, refused)
	}
}

// checkMutant checks a program and reports whether it was accepted.
func checkMutant(t *testing.T, name, text string) bool {
	t.Helper()
	defer func() {
		if e := recover(); e != nil {
			t.Logf("%s", text)
			panic(fmt.Sprintf("%s: %v", name, e))
		}
	}()
	f, errs := syntax.Parse(name, map[string]string{name: text}, syntax.Config{Version: 400})
	if len(errs) > 0 {
		return false
	}
	program, errs := Check(f, Config{Version: 400})
	for _, e := range errs {
		if !e.Pos.IsValid() || e.Pos.File != name || e.Code == "" || e.Msg == "" {
			t.Errorf("error %+v has no position in %s:\n%s", e, name, text)
		}
	}
	if len(errs) > 0 {
		return false
	}
	for _, fault := range verifyTree(program) {
		t.Errorf("%s\n%s", fault, text)
	}
	hir.Print(program)
	return true
}

func FuzzCheck(f *testing.F) {
	for _, text := range testFiles(f, "testdata/ok/*/*.metal") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkMutant(t, "fuzz.metal", text) })
}
