package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/kernels"

	"github.com/spf13/pflag"
)

// gateFlags say what fails a run beside its own cases, and what does not: for the
// commands whose exit status is a verdict.
type gateFlags struct {
	require  required
	baseline []string
	new      bool
	memory   resultsMemory
}

// add defines the flags.
func (g *gateFlags) add(flags *pflag.FlagSet) {
	flags.Var(&g.require, "require", "fail unless each kernel and pipeline is judged whose whole name matches `REGEX|all|FILE`; a file has a name a line, and comments behind #")
	flags.StringArrayVar(&g.baseline, "baseline", nil, "say what has changed since `RESULTS`, and fail if a kernel that was judged there is not judged any more; repeatable, for shards")
	flags.BoolVar(&g.new, "new", false, "with -baseline, fail only on what that run did not have")
	g.memory.add(flags)
}

// required is a flag that names kernels.
type required struct {
	text  string
	given bool
}

func (r *required) String() string { return r.text }
func (r *required) Type() string   { return "names" }
func (r *required) Set(text string) error {
	r.text, r.given = text, true
	return nil
}

// names are those of the catalogue that the flag asks for.
func (r required) names(of func() []string) ([]string, error) {
	if !r.given {
		return nil, nil
	}
	catalogue := of()
	if r.text == "all" {
		return catalogue, nil
	}
	if info, err := os.Stat(r.text); err == nil && info.Mode().IsRegular() {
		return r.read(catalogue)
	}
	p, err := suite.NewPattern(r.text)
	if err != nil {
		return nil, exit.Usagef("-require %s: there is no such file, and %v", r.text, err)
	}
	names := slices.DeleteFunc(slices.Clone(catalogue), func(name string) bool { return !p.MatchString(name) })
	if len(names) == 0 {
		return nil, exit.Usagef("-require %q: there is no such file, and no kernel or pipeline has such a name (the whole of it has to match)%s", r.text, config.DidYouMean(r.text, catalogue))
	}
	return names, nil
}

// mostWrong is how many names are told to be no one's: each is held against all that there are.
const mostWrong = 20

// read takes the names from the file.
func (r required) read(catalogue []string) ([]string, error) {
	text, err := regular.Read(r.text, regular.Text)
	if err != nil {
		return nil, exit.Usagef("-require: %v", err)
	}
	var names []string
	var wrong []error
	for i, line := range strings.Split(string(text), "\n") {
		if len(wrong) == mostWrong {
			wrong = append(wrong, fmt.Errorf("-require: %s:%d: further names are not looked at", r.text, i+1))
			break
		}
		name, _, _ := strings.Cut(line, "#")
		switch name = strings.TrimSpace(name); {
		case name == "":
		case !slices.Contains(catalogue, name):
			wrong = append(wrong, fmt.Errorf("-require: %s:%d: no kernel or pipeline is called %q%s", r.text, i+1, name, config.DidYouMean(name, catalogue)))
		default:
			names = append(names, name)
		}
	}
	switch {
	case len(wrong) > 0:
		return nil, exit.Usagef("%w", errors.Join(wrong...))
	case len(names) == 0:
		return nil, exit.Usagef("-require: %s names no kernel", r.text)
	}
	return names, nil
}

// by is who requires what the flag names.
func (r required) by() string { return "-require " + quote(r.text) }

// read is the run to compare with; nil if there is none.
func (g gateFlags) read(partial bool) (*reports.Run, error) {
	if len(g.baseline) == 0 {
		if g.new {
			return nil, exit.Usagef("-new: what a run did not have before is found with -baseline RESULTS")
		}
		return nil, nil
	}
	run, err := readRun(g.baseline, partial, g.memory.room())
	if err != nil {
		return nil, exit.Usagef("-baseline: %v", err)
	}
	return &run, nil
}

// view is a run as the flags judge it, against a baseline if there is one: by the policy
// of the file, or else of the directory.
func (g gateFlags) view(run reports.Run, baseline *reports.Run, file string) (reports.View, error) {
	v := reports.View{Run: run, New: g.new}
	if baseline != nil {
		policy, err := config.PolicyFlags{Config: file}.Policy(run)
		if err != nil {
			return v, err
		}
		v.Against = reports.Compare(reports.Set{Run: *baseline}, reports.Set{Run: run}, policy)
	}
	return v, nil
}

// catalogueNames are the kernels and pipelines that there are.
func catalogueNames() []string { return namesOf(kernels.All()) }

// namesOf are the kernels and pipelines of families.
func namesOf(families []suite.Family) []string {
	var names []string
	for _, f := range families {
		for _, k := range f.Kernels {
			names = append(names, k.Name)
		}
		for _, p := range f.Pipelines {
			names = append(names, p.Name)
		}
	}
	return names
}

// requirements enters in the header which kernels have to be judged, and which are declared to
// be absent.
func (s selection) requirements(h *reports.Header, r required, declared *suite.Declarations, source *suite.Shaders) error {
	if !r.given && declared == nil {
		return nil
	}
	all, names := suite.Firsts(s.spec.cases(suite.Quick))
	asked, err := r.names(func() []string { return names })
	if err != nil {
		return err
	}
	selected, taken := map[string]bool{}, namesOf(s.spec.catalogue())
	for _, k := range h.Kernels {
		selected[k.Name] = true
	}
	for _, c := range all {
		q := reports.Requirement{Kernel: c.Kernel.Name}
		switch {
		case slices.Contains(asked, q.Kernel):
			q.By = r.by()
		default:
			q.By, _ = declared.Asks(c)
			q.Lenient = true
		}
		if q.By == "" {
			continue
		}
		if !selected[q.Kernel] {
			q.Lack = source.Lacks(c, taken)
		}
		h.Required = append(h.Required, q)
	}
	if declared == nil {
		return nil
	}
	for _, a := range declared.Absences {
		absence := reports.Absence{Entry: a.Entry}
		for _, c := range all {
			if a.About(c) {
				absence.Kernels = append(absence.Kernels, c.Kernel.Name)
			}
		}
		h.Absent = append(h.Absent, absence)
	}
	return nil
}
