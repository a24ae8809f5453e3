package sim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/differential"
	"metalconform/metalrun/sim"
)

// TestWitness asks clang what the programs of testdata/run mean.
func TestWitness(t *testing.T) {
	clang := requireWitness(t)
	var launches []differential.Launch
	var names []string
	var want [][][]byte
	paths, err := filepath.Glob("testdata/run/*/*.metal")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		p, err := parseProgram(path)
		if err != nil {
			t.Fatal(err)
		}
		if p.fault != "" || p.open || p.found != nil || p.dispatch.Textures != nil || p.semantics != (sim.Semantics{}) {
			continue // nothing is defined that two could agree on
		}
		for i, l := range p.launches(t) {
			launches, want = append(launches, l.Launch), append(want, l.after)
			names = append(names, fmt.Sprintf("%s %d %s", strings.TrimPrefix(path, "testdata/run/"), i, l.Kernel))
		}
	}
	answers, err := differential.Ask(clang, t.TempDir(), launches)
	if err != nil {
		t.Fatal(err)
	}
	agreed := 0
	for i, a := range answers {
		path, _, _ := strings.Cut(names[i], " ")
		differs := a.Refused == "" && differential.Difference(a.Buffers, want[i]) != ""
		switch {
		case a.Refused != "":
			t.Logf("%s is not asked about: %s", names[i], a.Refused)
		case differs && understood[path] == "":
			t.Errorf("%s: %s", names[i], differential.Difference(a.Buffers, want[i]))
		case !differs && understood[path] != "":
			t.Errorf("%s agrees, though %s", names[i], understood[path])
		case !differs:
			agreed++
		}
	}
	t.Logf("%d programs agree of %d", agreed, len(answers))
	if agreed < leastAgreed {
		t.Errorf("%d programs agree, want %d at least: the rest is not asked about", agreed, leastAgreed)
	}
}

// TestWitnessLanguage asks clang about the values that testdata/language wants.
func TestWitnessLanguage(t *testing.T) {
	clang := requireWitness(t)
	paths, err := filepath.Glob("testdata/language/*.metal")
	if err != nil {
		t.Fatal(err)
	}
	var launches []differential.Launch
	var names []string
	var want []want
	for _, path := range paths {
		f, text := readFeature(t, path)
		for _, name := range f.names {
			p := program{wants: append(want[:0:0], f.wants[name])}
			if err := p.complete(); err != nil {
				t.Fatal(err)
			}
			source := metalrun.SourceText(filepath.Base(path), onlyKernel(text, name))
			launches = append(launches,
				differential.Launch{Source: source, Options: f.options, Kernel: name, Dispatch: p.dispatch})
			names, want = append(names, filepath.Base(path)+" "+name), append(want, f.wants[name])
		}
	}
	answers, err := differential.Ask(clang, t.TempDir(), launches)
	if err != nil {
		t.Fatal(err)
	}
	agreed := 0
	for i, a := range answers {
		differs := a.Refused == "" && differential.Difference(a.Buffers, [][]byte{want[i].data}) != ""
		switch {
		case a.Refused != "":
			t.Logf("%s is not asked about: %s", names[i], a.Refused)
		case differs && understood[names[i]] == "":
			t.Errorf("%s: %s", names[i], differential.Difference(a.Buffers, [][]byte{want[i].data}))
		case !differs && understood[names[i]] != "":
			t.Errorf("%s agrees, though %s", names[i], understood[names[i]])
		case !differs:
			agreed++
		}
	}
	t.Logf("%d facts agree of %d", agreed, len(answers))
	if agreed < leastLanguage {
		t.Errorf("%d facts agree, want %d at least: the rest is not asked about", agreed, leastLanguage)
	}
}

// onlyKernel is a file of testdata/language with one of its kernels: what clang refuses of
// the others is none of its business.
func onlyKernel(text, name string) string {
	var b strings.Builder
	keep := true
	for line := range strings.Lines(text) {
		begins := strings.HasPrefix(line, "kernel void ")
		if begins {
			keep = strings.HasPrefix(line, "kernel void "+name+"(")
		}
		if keep {
			b.WriteString(line)
		}
		if end := strings.TrimSpace(line); end == "}" && line[0] == '}' || begins && strings.HasSuffix(end, "}") {
			keep = true
		}
	}
	return b.String()
}

// leastLanguage is how many kernels of testdata/language the witness agrees about.
const leastLanguage = 610

// leastAgreed is how many programs the witness understands and agrees about.
const leastAgreed = 540

// understood says why a program, or a fact, means something else in C++.
var understood = map[string]string{
	"conversions/nan_to_zero.metal": "C++ does not define what integer a NaN becomes",
	"vectors/short_lists.metal": "a list of one number fills the vectors of the witness, since it is their only " +
		"conversion",
	"pointers/in_buffers.metal": "what a pointer is as a number is the device's business",
	"integers/shift_count.metal": "C++ does not define shifts by as many bits as there are, and Metal takes the " +
		"count modulo them",
	"integers.metal shifts":      "C++ does not define shifts by as many bits as there are",
	"integers.metal from_floats": "C++ does not define what integer a NaN becomes",

	"ranking_with_library.metal other_types_stay_the_librarys":       otherCandidates,
	"ranking_with_library.metal library_function_beats_own_template": otherCandidates,
	"ranking_with_library.metal exact_own_beats_converted_library":   otherCandidates,
	"ranking_with_library.metal own_bool_beside_integers":            otherCandidates,
}

const otherCandidates = "the library of the witness has other candidates than Metal's, which a call ranks with the " +
	"program's"

// requireWitness is the compiler to ask. It takes some seconds, so that go test alone
// does not ask.
func requireWitness(t *testing.T) string {
	if os.Getenv("CONFORM_WITNESS") == "" {
		t.Skip("CONFORM_WITNESS=1 asks clang")
	}
	clang := differential.Clang()
	if clang == "" {
		t.Fatal("there is no clang to ask")
	}
	return clang
}

// asked is a launch and what the simulator makes of it.
type asked struct {
	differential.Launch
	after [][]byte
}

// launches are those of a program, each from what the one before left.
func (p *program) launches(t *testing.T) []asked {
	analysed, err := metalrun.Analyse(p.source, p.options)
	if err != nil {
		t.Fatal(err)
	}
	names, err := p.kernelNames(analysed)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := sim.New(p.semantics).Compile(analysed)
	if err != nil {
		t.Fatal(err)
	}
	var list []asked
	for _, name := range names {
		k, err := lib.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		d := p.dispatch
		d.Bindings = slices.Clone(d.Bindings)
		for i, b := range d.Bindings {
			d.Bindings[i].Data = slices.Clone(b.Data)
		}
		if _, err := k.Run(p.dispatch); err != nil {
			return list
		}
		a := asked{Launch: differential.Launch{Source: p.source, Options: p.options, Kernel: name, Dispatch: d}}
		for _, b := range p.dispatch.Bindings {
			a.after = append(a.after, slices.Clone(b.Data[b.Offset:b.Offset+b.Length]))
		}
		list = append(list, a)
	}
	return list
}
