package simt

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/simt/machine"
)

// TestPasses leaves out one pass at a time, and all of them: launches give the same bits.
func TestPasses(t *testing.T) {
	without := map[string]Passes{"all": 1<<len(PassList()) - 1}
	for i, info := range PassList() {
		without[info.Name] = 1 << i
	}
	for _, c := range []struct {
		text string
		runLaunch
	}{
		{products(headForms[0].body), headLaunches[0]}, {products(endForms[1].body), headLaunches[0]},
		{products(dotForms[0].loop), dotLaunches[0]}, {weightedRows(runForms[0].loop), runLaunches[0]},
		{ownRows(gatheredForms[0].loop), gatheredLaunches[0]}, {sumsOfRuns(weightForms[0].loop), weightLaunches[0]},
		{striding(wideForms[0].loop), wideLaunches[0]}, {left(singleLaneForms[0].loop), singleLaneLaunches[0]},
	} {
		want, _, err := c.count(Compile(lower(t, c.text), Options{Workers: 1}))
		if err != nil {
			t.Fatalf("%s\n%v", c.text, err)
		}
		for name, set := range without {
			got, _, err := c.count(Compile(lower(t, c.text), Options{Workers: 1, Without: set}))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("without %s: %v (-with +without):\n%s", name, err, diff)
			}
		}
	}
	const threads = 32
	input := floats(24*5 + 64)
	for _, form := range turnForms {
		text := recurrence(form.turn)
		want, balls := runTurns(t, Compile(lower(t, text), Options{Exact: true}), threads, input, false)
		for name, set := range without {
			p := Compile(lower(t, text), Options{Exact: true, Without: set})
			got, others := runTurns(t, p, threads, input, false)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s without %s (-with +without):\n%s", form.name, name, diff)
			}
			for i, x := range balls {
				if y := others[i]; math.Float64bits(x.X) != math.Float64bits(y.X) || x.Known() != y.Known() {
					t.Errorf("%s without %s: element %d is %v, want %v", form.name, name, i, y, x)
				}
			}
		}
	}
}

// TestParsePasses reads lists of passes.
func TestParsePasses(t *testing.T) {
	for list, want := range map[string]Passes{
		"": 0, "row_loop": 1 << machine.PassRowLoop, "stream,dot_loop": 1<<machine.PassStream | 1<<machine.PassDotLoop,
	} {
		if got, err := ParsePasses(list); err != nil || got != want {
			t.Errorf("%q: got %b, %v, want %b", list, got, err, want)
		}
	}
	if _, err := ParsePasses("row_loop,loop"); err == nil || !strings.Contains(err.Error(), `"loop"`) {
		t.Errorf("an unknown pass: %v", err)
	}
}

// TestPassesAreMeasured holds the table of docs/passes.md to the list of passes.
func TestPassesAreMeasured(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../../docs/passes.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n| --- ")
	var want, got []string
	for _, p := range PassList() {
		want = append(want, fmt.Sprintf("| `%s` | %s | %s | %s |", p.Name, p.Does, p.Workload, p.Gain))
	}
	for line := range strings.Lines(table[strings.Index(table, "\n")+1:]) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		got = append(got, strings.Join(strings.SplitAfterN(line, "|", 6)[:5], ""))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the table of docs/passes.md is not the list of passes.go (-list +table):\n%s", diff)
	}
	if count := fmt.Sprintf("The simulator has %d passes", len(want)); !strings.Contains(string(text), count) {
		t.Errorf("docs/passes.md does not say %q", count)
	}
}
