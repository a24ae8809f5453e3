package gate

import (
	"maps"
	"path"
	"slices"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/printable"
	"metalconform/suite"
	"metalconform/suite/kernels"
)

// scope is what a change concerns: kernels that are made of other texts now, or that other files decide of, and the
// pipelines of these kernels. Names and dates of files do not count, and neither does what git says has changed.
type scope struct {
	files   []string          // that differ and matter, from the root of the repository
	why     string            // everything is concerned; "" if not
	kernels map[string]string // that are concerned, with a file that is why
	ruled   map[string]bool   // of these, the kernels that are judged by other specifications
	there   map[string]bool   // kernels that the shaders have, or had
	rules   bool              // what decides of every kernel differs: declarations, accuracies
	was, is map[string]string // texts of the sources that differ, by their names among the shaders
}

// newScope compares two states.
func newScope(r *repository, base, head *Side) (scope, error) {
	s := scope{kernels: map[string]string{}, ruled: map[string]bool{}, there: map[string]bool{},
		was: map[string]string{}, is: map[string]string{}}
	before, specifiedBefore, err := base.rules()
	if err != nil {
		return s, err
	}
	now, specified, err := head.rules()
	if err != nil {
		return s, err
	}
	for name := range union(before, now) {
		if before[name] != now[name] {
			s.rules = true
			s.everything(r.shown(name, false))
		}
	}
	names := map[string]bool{}
	for _, side := range []*Side{base, head} {
		for _, name := range side.Spec.Names() {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		s.specified(r, name, specifiedBefore[name], specified[name])
		s.made(r, name, base.Source, head.Source)
	}
	return s, nil
}

// union has the keys of both.
func union(a, b map[string]string) map[string]bool {
	all := map[string]bool{}
	for _, m := range []map[string]string{a, b} {
		for name := range m {
			all[name] = true
		}
	}
	return all
}

// specified notes a kernel whose specification is made of other texts.
func (s *scope) specified(r *repository, kernel string, was, is map[string]string) {
	for _, file := range slices.Sorted(maps.Keys(union(was, is))) {
		before, had := was[file]
		if after, has := is[file]; had != has || before != after {
			s.concern(kernel, r.shown(file, false))
			s.ruled[kernel] = true
		}
	}
}

// made notes a kernel that is made of other texts.
func (s *scope) made(r *repository, kernel string, base, head *suite.Shaders) {
	was, is := contents(base, kernel), contents(head, kernel)
	s.there[kernel] = len(was)+len(is) > 0
	for _, file := range slices.Sorted(maps.Keys(union(was, is))) {
		before, had := was[file]
		after, has := is[file]
		if had == has && before == after {
			continue
		}
		inside := holds(base, file) || holds(head, file)
		s.concern(kernel, r.shown(file, inside))
		s.was[file], s.is[file] = before, after
	}
}

// concern notes a kernel with the first file that is why.
func (s *scope) concern(kernel, file string) {
	s.files = append(s.files, file)
	if s.kernels[kernel] == "" {
		s.kernels[kernel] = file
	}
}

// contents are the texts that a kernel is made of; none if there is no such kernel.
func contents(shaders *suite.Shaders, kernel string) map[string]string {
	if shaders == nil {
		return nil
	}
	return shaders.Contents(kernel)
}

// holds reports whether a file lies in the directory of the shaders.
func holds(shaders *suite.Shaders, file string) bool {
	if shaders == nil {
		return false
	}
	_, ok := shaders.Text(file)
	return ok
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
		for _, k := range names {
			s.concern(k, file)
		}
	case strings.HasPrefix(dir, "shaders/") && name != config.Name && path.Ext(name) != ".go":
		// what kernels are made of is compared by its texts
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
		return slices.ContainsFunc(c.Kernels(), absent) || !slices.ContainsFunc(c.Kernels(), s.concerns)
	})
}

// concerns reports whether a kernel is concerned.
func (s scope) concerns(kernel string) bool { return s.why != "" || s.kernels[kernel] != "" }

// reruled reports whether the rules of a case may be others now.
func (s scope) reruled(c suite.Case) bool {
	return s.rules || s.ruled[c.Kernel.Name] || slices.ContainsFunc(c.Kernels(), func(k string) bool {
		return s.ruled[k]
	})
}

// touched reports whether a file is made of other texts than before.
func (s scope) touched(base, head *suite.Shaders, file string) bool {
	return base == nil || s.rules || !maps.Equal(base.FileContents(file), head.FileContents(file))
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
