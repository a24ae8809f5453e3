package gate

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/suite"
	"metalconform/suite/kernels"
)

// scope is what a change concerns: kernels whose sources, included files, specifications
// or oracles are others now, and the pipelines of these kernels.
type scope struct {
	files   []string          // that changed and matter, from the root of the repository
	why     string            // everything is concerned; "" if not
	kernels map[string]string // that are concerned, with a file that is why
	there   map[string]bool   // kernels that the shaders have, or had
}

// newScope is the scope of changed files. base is nil if there were no shaders. own says
// that the repository is that of this program, whose specifications count too, as those of
// spec do. Both sides are judged by the specifications of now.
func newScope(r *repository, changed []string, base, head *suite.Shaders, own bool, spec session.Specifications) scope {
	s := scope{kernels: map[string]string{}, there: map[string]bool{}}
	for _, file := range changed {
		name, inside := r.within(file)
		switch {
		case inside && (name == config.Name || path.Ext(name) == config.AccuraciesExtension):
			s.everything(file)
		case inside && counts(name):
			s.files = append(s.files, file)
		case path.Ext(file) == ".star":
			s.specified(file, spec.Under(filepath.Join(r.root, filepath.FromSlash(path.Dir(file)))))
		case own:
			s.ours(file)
		}
	}
	for _, name := range spec.Names() {
		was, is := reads(base, name), reads(head, name)
		s.there[name] = len(was)+len(is) > 0
		s.made(r, name, slices.Concat(was, is), changed)
	}
	slices.Sort(s.files)
	s.files = slices.Compact(s.files)
	return s
}

// made notes the first changed file that a kernel is made of.
func (s *scope) made(r *repository, kernel string, reads, changed []string) {
	for _, file := range changed {
		name, inside := r.within(file)
		if inside && counts(name) && slices.Contains(reads, name) || slices.ContainsFunc(r.called(file),
			func(name string) bool { return slices.Contains(reads, name) }) {
			s.files = append(s.files, file)
			if s.kernels[kernel] == "" {
				s.kernels[kernel] = file
			}
			return
		}
	}
}

// specified notes a file of specifications: kernels of a file beside or below it may load it.
func (s *scope) specified(file string, names []string) {
	if len(names) > 0 {
		s.files = append(s.files, file)
	}
	for _, k := range names {
		s.kernels[k] = file
	}
}

// reads are the files of shaders that a kernel is made of; none if there is no such kernel.
func reads(shaders *suite.Shaders, kernel string) []string {
	if shaders == nil {
		return nil
	}
	return shaders.Reads(kernel)
}

// everything notes a file that may concern every kernel.
func (s *scope) everything(file string) {
	s.files = append(s.files, file)
	if s.why == "" {
		s.why = file + " changed"
	}
}

// ours notes a file of this program. Those of the catalogue concern the kernels of the
// shaders of the same stem; documents, tests and reports concern none; whatever else
// there is may concern all.
func (s *scope) ours(file string) {
	dir, name := path.Split(file)
	switch {
	case strings.HasSuffix(name, "_test.go"), strings.Contains(dir, "/testdata/"), path.Ext(name) == ".md",
		!strings.Contains(dir, "/"):
		if name != "go.mod" && name != "go.sum" {
			return
		}
		s.everything(file)
	case strings.HasPrefix(dir, ".github/"), strings.HasPrefix(dir, ".ci/"), strings.HasPrefix(dir, "examples/"),
		strings.HasPrefix(dir, "reports/"):
		return
	case dir == "suite/kernels/" || dir == "oracles/":
		names := familyOf(strings.TrimSuffix(name, ".go"))
		if len(names) == 0 {
			s.everything(file)
			return
		}
		s.files = append(s.files, file)
		for _, k := range names {
			s.kernels[k] = file
		}
	default:
		s.everything(file)
	}
}

// familyOf are the kernels of the family that a file of that stem belongs to, such as norm
// or norm_inputs; none if it is no family's.
func familyOf(stem string) []string {
	for _, f := range kernels.All() {
		if stem != f.Name && !strings.HasPrefix(stem, f.Name+"_") {
			continue
		}
		var names []string
		for _, k := range f.Kernels {
			names = append(names, k.Name)
		}
		return names
	}
	return nil
}

// take are the cases of what is concerned and can be judged on one side at least.
func (s scope) take(cases []suite.Case) []suite.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c suite.Case) bool {
		absent := func(name string) bool { return !s.there[name] }
		concerned := func(name string) bool { return s.why != "" || s.kernels[name] != "" }
		return slices.ContainsFunc(c.Kernels(), absent) || !slices.ContainsFunc(c.Kernels(), concerned)
	})
}

// String says what is judged and why.
func (s scope) String() string {
	switch n := len(s.kernels); {
	case s.why != "":
		return "every kernel is judged: " + s.why
	case n == 0:
		return "no kernel is affected"
	default:
		return printable.Count(n, "affected kernel") + ", with the pipelines that use " +
			map[bool]string{true: "it", false: "them"}[n == 1]
	}
}
