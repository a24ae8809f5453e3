package session

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"metalconform/internal/checkout"
	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/kernels"
)

// Required is a flag that names kernels.
type Required struct {
	Checkout *checkout.Checkout // that has the file
	Given    bool
	Lenient  bool // names that nothing has are left out

	text string
}

func (r *Required) String() string { return r.text }
func (r *Required) Type() string   { return "names" }
func (r *Required) Set(text string) error {
	r.text, r.Given = text, true
	return nil
}

// Names are those of the catalogue that the flag asks for.
func (r Required) Names(of func() []string) ([]string, error) {
	if !r.Given {
		return nil, nil
	}
	catalogue := of()
	if r.text == "all" {
		return catalogue, nil
	}
	at, err := r.Checkout.Path(r.text)
	if err != nil {
		return nil, exit.Usagef("-require: %v", err)
	}
	if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
		return r.read(at, catalogue)
	}
	p, err := suite.NewPattern(r.text)
	if err != nil {
		return nil, exit.Usagef("-require %s: there is no such file, and %v", r.text, err)
	}
	names := slices.DeleteFunc(slices.Clone(catalogue), func(name string) bool { return !p.MatchString(name) })
	if len(names) == 0 && !r.Lenient {
		return nil,
			exit.Usagef(
				"-require %q: there is no such file, and no kernel or pipeline has such a name (the whole of "+
					"it has to "+
					"match)%s", r.text, config.DidYouMean(r.text, catalogue))
	}
	return names, nil
}

// mostWrong is how many names are told to be no one's: each is held against all that there are.
const mostWrong = 20

// read takes the names from the file.
func (r Required) read(at string, catalogue []string) ([]string, error) {
	text, err := regular.Read(at, regular.Text)
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
		case !slices.Contains(catalogue, name) && r.Lenient:
		case !slices.Contains(catalogue, name):
			wrong = append(wrong, fmt.Errorf("-require: %s:%d: no kernel or pipeline is called %q%s", r.text, i+1, name,
				config.DidYouMean(name, catalogue)))
		default:
			names = append(names, name)
		}
	}
	switch {
	case len(wrong) > 0:
		return nil, exit.Usagef("%w", errors.Join(wrong...))
	case len(names) == 0 && !r.Lenient:
		return nil, exit.Usagef("-require: %s names no kernel", r.text)
	}
	return names, nil
}

// By is who requires what the flag names.
func (r Required) By() string { return "-require " + Quote(r.text) }

// CatalogueNames are the kernels and pipelines that there are.
func CatalogueNames() []string { return namesOf(kernels.All()) }

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

// Requirements enters in the header which kernels have to be judged, and which are declared to
// be absent.
func (s Selection) Requirements(h *reports.Header, r Required, declared *suite.Declarations,
	source *suite.Shaders) error {
	if !r.Given && declared == nil {
		return nil
	}
	all, names := suite.Firsts(s.Spec.Cases(suite.Quick))
	asked, err := r.Names(func() []string { return names })
	if err != nil {
		return err
	}
	selected, taken := map[string]bool{}, s.Spec.Taken()
	for _, k := range h.Kernels {
		selected[k.Name] = true
	}
	for _, c := range all {
		q := reports.Requirement{Kernel: c.Kernel.Name}
		switch {
		case slices.Contains(asked, q.Kernel):
			q.By = r.By()
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
	h.MostUndecided = declared.MostUndecided
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
