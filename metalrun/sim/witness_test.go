package sim_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/metalrun/witness"
)

// TestWitness asks clang what the programs of testdata/run mean.
func TestWitness(t *testing.T) {
	clang := witness.Clang()
	if clang == "" {
		if os.Getenv("CONFORM_REQUIRE_CLANG") != "" {
			t.Fatal("no clang")
		}
		t.Skip("no clang to ask")
	}
	var launches []witness.Launch
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
		if p.fault != "" || p.open || p.semantics.FlushSubnormals || p.semantics.Contract {
			continue // nothing is defined that two could agree on
		}
		for i, l := range p.launches(t) {
			launches, want = append(launches, l.Launch), append(want, l.after)
			names = append(names, fmt.Sprintf("%s %d %s", strings.TrimPrefix(path, "testdata/run/"), i, l.Kernel))
		}
	}
	answers, err := witness.Ask(clang, t.TempDir(), launches)
	if err != nil {
		t.Fatal(err)
	}
	agreed := 0
	for i, a := range answers {
		switch {
		case a.Refused != "":
			t.Logf("%s: %s", names[i], a.Refused)
		case slices.EqualFunc(a.Buffers, want[i], bytes.Equal):
			agreed++
		default:
			t.Errorf("%s differs", names[i])
		}
	}
	t.Logf("%d of %d agree", agreed, len(answers))
}

// asked is a launch and what the simulator makes of it.
type asked struct {
	witness.Launch
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
		a := asked{Launch: witness.Launch{Source: p.source, Options: p.options, Kernel: name, Dispatch: d}}
		for _, b := range p.dispatch.Bindings {
			a.after = append(a.after, slices.Clone(b.Data[b.Offset:b.Offset+b.Length]))
		}
		list = append(list, a)
	}
	return list
}
