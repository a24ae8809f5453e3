package sim_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// TestFindings runs every program observed: it finds what the program announces
// and nothing else, and the results are those of the same program unobserved.
func TestFindings(t *testing.T) { forPrograms(t, checkProgram) }

func checkProgram(t *testing.T, path string) {
	p, err := parseProgram(path)
	if err != nil {
		t.Fatal(err)
	}
	p.semantics.Check = true
	outcomes, err := p.run()
	if p.fault != "" {
		checkFault(t, p.fault, err)
		return
	}
	var got []string
	var fault *metalrun.Fault
	switch {
	case errors.As(err, &fault):
		got = append(got,
			p.announced(metalrun.Finding{Check: "fault", Message: fault.Message,
				Party: metalrun.Party{Position: fault.Position}}))
	case err != nil:
		t.Fatal(err)
	}
	for _, o := range outcomes {
		for _, f := range o.Findings {
			got = append(got, p.announced(f))
		}
	}
	if !slices.Equal(p.found, got) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(p.found, "\n"))
	}
	if fault == nil {
		p.checkWants(t)
	}
}

// TestProgramsAreShared compiles and runs every program under one semantics after
// the other: none of them changes the intermediate representation that all have.
func TestProgramsAreShared(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	forPrograms(t, func(t *testing.T, path string) {
		p, err := parseProgram(path)
		if err != nil {
			t.Fatal(err)
		}
		analysed, err := metalrun.Analyse(p.source, p.options)
		if err != nil {
			t.Fatal(err)
		}
		var before, after strings.Builder
		if err := analysed.Dump(&before, "ir"); err != nil {
			t.Fatal(err)
		}
		infos, err := analysed.Kernels()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []sim.Semantics{{}, sim.Apple(), {Check: true},
			{Adversary: &sim.Adversary{Seed: 1, Choices: -1}}, {Schedule: 1}} {
			s.Steps = 1 << 16
			library, err := sim.New(s).Compile(analysed)
			if err != nil {
				t.Fatal(err)
			}
			for _, info := range infos {
				k, err := library.Kernel(info.Name)
				if err != nil {
					t.Fatal(err)
				}
				k.Run(p.dispatch) // that it may fault is for other tests
			}
		}
		if err := analysed.Dump(&after, "ir"); err != nil {
			t.Fatal(err)
		}
		if before.String() != after.String() {
			t.Errorf("before\n%s\nafter\n%s", &before, &after)
		}
	})
}

// announced is a finding as a directive announces it: with the part of the
// message that the directive at its place has, or all of it.
func (p *program) announced(f metalrun.Finding) string {
	other := ""
	if f.Other != nil {
		other = fmt.Sprintf("; %d:%d", f.Other.Line, f.Other.Col)
	}
	head := fmt.Sprintf("%d:%d %s ", f.Line, f.Col, strings.TrimSpace(fmt.Sprint(f.Grade, " ", f.Check)))
	for _, want := range p.found {
		rest, ok := strings.CutPrefix(want, head)
		if part, ok2 := strings.CutSuffix(rest, other); ok && ok2 && strings.Contains(f.Message, part) {
			return want
		}
	}
	return head + f.Message + other
}

// TestSchedules runs every program whose threads do not race in other orders of
// its simdgroups: the results are the same.
func TestSchedules(t *testing.T) {
	if testing.Short() {
		t.Skip("TestFindings launches the same programs")
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			forPrograms(t, func(t *testing.T, path string) {
				p, err := parseProgram(path)
				if err != nil {
					t.Fatal(err)
				}
				if p.fault != "" || p.found != nil {
					t.Skip("it faults, or a finding is announced")
				}
				p.semantics.Schedule = seed + 1
				if _, err := p.run(); err != nil {
					t.Fatal(err)
				}
				p.checkWants(t)
			})
		})
	}
}
