package suite

import (
	"errors"
	"fmt"
	"slices"

	"metalconform/metalrun"
)

// Requirement names kernels and pipelines that have to be judged.
type Requirement struct {
	Position Position
	Kernels  Pattern
}

// Absence declares that shaders lack kernels, because they were removed or never
// written. So do the pipelines that launch one of them.
type Absence struct {
	Entry
	Kernels Pattern // by the names of kernels and pipelines
}

// Exclusion declares that files are not to be compiled: their entry points are as good as
// not there.
type Exclusion struct {
	Entry
	Files Pattern // by their names in the directory
}

// About reports whether the case's kernel, its pipeline, or a kernel that the pipeline
// launches is declared to be absent.
func (a Absence) About(c Case) bool {
	return a.Kernels.MatchString(c.Kernel.Name) || slices.ContainsFunc(c.Kernels(), a.Kernels.MatchString)
}

// absence is the declaration that a case's kernel is absent.
func (d *Declarations) absence(c Case) (Absence, bool) {
	if d == nil {
		return Absence{}, false
	}
	i := slices.IndexFunc(d.Absences, func(a Absence) bool { return a.About(c) })
	if i < 0 {
		return Absence{}, false
	}
	return d.Absences[i], true
}

// Asks is where it is declared that a case's kernel has to be judged, and where that it
// is absent.
func (d *Declarations) Asks(c Case) (required, absent string) {
	if d == nil {
		return "", ""
	}
	if i := slices.IndexFunc(d.Required, func(q Requirement) bool { return q.Kernels.MatchString(c.Kernel.Name) }); i >=
		0 {
		required = d.Required[i].Position.String()
	}
	if a, ok := d.absence(c); ok {
		absent = a.Position.String()
	}
	return required, absent
}

// Present are the absences of kernels that are there.
func (d *Declarations) Present(s *Shaders, catalogue []Case) []Outdated {
	if d == nil {
		return nil
	}
	var list []Outdated
	for _, a := range d.Absences {
		for _, name := range a.names(catalogue) {
			if file, _, err := s.Find(name); !errors.Is(err, ErrAbsent) {
				var broken *BrokenFile
				if errors.As(err, &broken) {
					file = broken.File
				}
				list = append(list,
					Outdated{a.Position, fmt.Sprintf("no longer true: %s has the kernel %s", file, name)})
			}
		}
	}
	return list
}

// names are the kernels, not the pipelines, that the absence is about.
func (a Absence) names(catalogue []Case) []string {
	var names []string
	for _, c := range catalogue {
		if c.Pipeline == nil && a.About(c) {
			names = with(names, c.Kernel.Name)
		}
	}
	return names
}

// Exclude takes the files out that are declared not to be compiled.
func (s *Shaders) Exclude(d *Declarations) {
	if d == nil {
		return
	}
	s.units = slices.DeleteFunc(s.units, func(u *unit) bool {
		out := slices.ContainsFunc(d.Exclusions, func(x Exclusion) bool { return x.Files.MatchString(u.file) })
		if out {
			s.excluded = append(s.excluded, u)
		}
		return out
	})
}

// Idle are the exclusions that change nothing: those of files that are not
// there, or that the runner compiles and that have no kernel of the catalogue.
func (s *Shaders) Idle(d *Declarations, r metalrun.Runner, catalogue []Case) []Outdated {
	if d == nil {
		return nil
	}
	judged := func(name string) bool {
		return slices.ContainsFunc(catalogue, func(c Case) bool { return c.Kernel.Name == name })
	}
	var list []Outdated
	for _, x := range d.Exclusions {
		if !slices.ContainsFunc(s.excluded, func(u *unit) bool {
			if !x.Files.MatchString(u.file) {
				return false
			}
			names, err := u.names()
			if err == nil {
				_, err = u.library(r, Build{}, metalrun.Math{}, "")
			}
			return err != nil || slices.ContainsFunc(names, judged)
		}) {
			list = append(list, Outdated{x.Position,
				"no longer needed: no file that it names would fail, or be judged, without it"})
		}
	}
	return list
}
