package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/reports"
	"metalconform/suite/against"
	"metalconform/suite/explore"
)

// checkAgainst compares the kernels of sources with those of the library of -against.
func (c *checking) checkAgainst(stdout io.Writer, units []checkedUnit) error {
	if filepath.Ext(c.library) != metalrun.LibraryExtension {
		return exit.Usagef("-against %s: want a .metallib", c.library)
	}
	own := c.CompileFlags
	own.Prologue, own.Instances = nil, config.CompileFlags{}.Instances
	sources, err := own.Sources([]string{c.library})
	if err != nil {
		return err
	}
	library, err := metalrun.Analyse(sources[0], metalrun.CompileOptions{Budget: c.Options().Budget})
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	facts, _ := library.Library()
	given, err := c.given()
	if err != nil {
		return err
	}
	bounded := sim.Semantics{Steps: explore.MaxSteps, ThreadSteps: explore.MaxThreadSteps}
	c.limits.Set(&bounded)
	with := func(change func(*sim.Semantics)) metalrun.Runner {
		m := bounded
		change(&m)
		return sim.New(m)
	}
	count := map[against.Outcome]int{}
	var stale, broken []string
	out := json.NewEncoder(stdout)
	for _, u := range units {
		u.options = u.options.With(facts.Math)
		u.options.LanguageVersion = library.Options().LanguageVersion
		source, err := metalrun.Analyse(u.source, u.options)
		if err != nil {
			if c.asJSON {
				err = out.Encode(map[string]string{"file": u.source.Name, "error": err.Error()})
			} else {
				_, err = fmt.Fprintf(stdout, "%s: %v\n", printable.Line(u.source.Name), err)
			}
			if err != nil {
				return exit.With(exit.Device, err)
			}
			broken = append(broken, u.source.Name)
			continue
		}
		comparer := against.Comparer{Source: source, Library: library, Spec: given, Alone: len(units) == 1,
			Reference: with(func(*sim.Semantics) {}),
			Built:     with(func(m *sim.Semantics) { m.DefaultBuild = true }),
			Exact:     with(func(m *sim.Semantics) { m.Exact = true }),
			Checked:   with(func(m *sim.Semantics) { m.Check = true })}
		if c.run.Regexp != nil {
			comparer.Selects = c.run.MatchString
		}
		err = comparer.Compare(func(r against.Result) error {
			count[r.Outcome]++
			if r.Outcome.IsStale() {
				stale = append(stale, r.Kernel)
			}
			if c.asJSON {
				return out.Encode(r)
			}
			if r.Outcome != against.Same || c.verbose {
				fmt.Fprintf(stdout, "%s: %s%s\n", r.Kernel, r.Outcome, reason(r))
			}
			return nil
		})
		if err != nil {
			return exit.With(exit.Device, err)
		}
	}
	return c.againstVerdict(stdout, facts, count, stale, broken)
}

func reason(r against.Result) string {
	if r.Reason == "" {
		return ""
	}
	return ": " + printable.Line(r.Reason)
}

// againstVerdict says whether the library was built from the sources.
func (c *checking) againstVerdict(stdout io.Writer, facts metalrun.LibraryFacts, count map[against.Outcome]int,
	stale, broken []string) error {
	var parts []string
	for _, o := range against.Outcomes() {
		if n := count[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	v := reports.Verdict{Outcome: reports.Passed, Reason: fmt.Sprintf("%s (%s math): %s", printable.Line(c.library),
		facts.Math, strings.Join(parts, ", "))}
	switch {
	case len(broken) > 0:
		v.Outcome = reports.Failed
		v.Reason = fmt.Sprintf("%s: %s cannot be compared, since they do not compile; of the others %s",
			printable.Line(c.library), printable.Count(len(broken), "file"), strings.Join(parts, ", "))
	case len(stale) > 0:
		v.Outcome = reports.Failed
		verb := "differ"
		if len(stale) == 1 {
			verb = "differs"
		}
		v.Reason = fmt.Sprintf("%s is stale: rebuild it. %s %s from the source: %s", printable.Line(c.library),
			printable.Count(len(stale), "kernel"), verb, printable.Line(strings.Join(stale, ", ")))
	}
	if !c.asJSON {
		fmt.Fprintln(stdout, v)
	}
	if len(stale)+len(broken) > 0 {
		return exit.Silently(exit.Fails)
	}
	return nil
}
