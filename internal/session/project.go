package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/suite"
)

// FindProject finds what a command works on where no flag says so: the sources, the specifications and conform.toml of
// a directory. The arguments are a directory, or files in it: sources, of which only these are judged, and
// specifications. Without arguments the working directory counts if it has sources, specifications or conform.toml. If
// it has none, or if a flag asks for the catalogue, our own kernels are judged.
func (s *Selection) FindProject(args []string) error {
	if s.Shaders != "" && len(args) > 0 {
		return exit.Usagef("-shaders %s names the directory: want no argument besides", Quote(s.Shaders))
	}
	for _, arg := range args {
		if err := s.take(arg); err != nil {
			return err
		}
	}
	if s.catalogue && s.Spec.Given() {
		return exit.Usagef("-catalogue excludes specifications")
	}
	if s.Shaders == "" {
		if s.catalogue {
			return nil
		}
		if !s.Spec.Given() && !s.isProject(".") {
			return nil
		}
		s.Shaders, s.found = ".", true
	}
	explicit := s.Spec.Given() || s.catalogue
	p, err := config.ReadProject(s.Rules, s.Config, s.Shaders)
	if err != nil {
		return err
	}
	if len(s.Math.Modes) == 0 && len(p.Math.Modes) > 0 {
		if s.Math.One && len(p.Math.Modes) > 1 {
			p.Math.Modes = p.Math.Modes[:1]
		}
		s.Math.Modes, s.mathFound = p.Math.Modes, true
	}
	if explicit {
		return nil
	}
	for _, name := range p.Packs {
		if err := (PackFlag{Of: &s.Spec}).Set(name); err != nil {
			return exit.Usagef("%s: packs: %q: %v", filepath.Join(s.Shaders, config.Name), name, err)
		}
	}
	if len(p.Packs)+len(p.Specifications) == 0 && !s.holds(s.Shaders, config.Name) {
		if err := s.notOfProjects(); err != nil {
			return err
		}
	}
	for _, file := range p.Specifications {
		if err := s.Spec.Set(file); err != nil {
			return exit.Usagef("%s: %v", file, err)
		}
	}
	s.Spec.found = s.Spec.Given()
	return nil
}

// ByCatalogue reports whether a flag asks for the catalogue.
func (s Selection) ByCatalogue() bool { return s.catalogue }

// take takes one argument.
func (s *Selection) take(arg string) error {
	info, err := os.Stat(arg)
	if err != nil {
		return exit.Usagef("%w (-run selects cases by name)", err)
	}
	dir := arg
	switch ext := filepath.Ext(arg); {
	case info.IsDir():
	case metalrun.HoldsKernels(arg):
		dir = filepath.Dir(arg)
		s.only = append(s.only, filepath.ToSlash(filepath.Base(arg)))
	case ext == ".star":
		dir = sourcesOf(filepath.Dir(arg))
		if err := s.Spec.Set(arg); err != nil {
			return exit.Usagef("%s: %v", arg, err)
		}
	case filepath.Base(arg) == config.Name:
		dir = filepath.Dir(arg)
	default:
		return exit.Usagef("%s: want a directory, a .metal, .metallib or .star file", arg)
	}
	if s.Shaders != "" && filepath.Clean(s.Shaders) != filepath.Clean(dir) {
		return exit.Usagef("%s and %s: want files of one directory", s.Shaders, dir)
	}
	s.Shaders = dir
	return nil
}

// isProject reports whether a directory itself has declarations, specifications or sources.
func (s Selection) isProject(dir string) bool {
	return s.holds(dir, config.Name, ".star", metalrun.SourceExtension, metalrun.LibraryExtension)
}

// holds reports whether a directory itself has a file with one of the names, or of the extensions.
func (s Selection) holds(dir string, names ...string) bool {
	at, err := s.Rules.Path(dir)
	return err == nil && holds(at, names...)
}

// notOfProjects is [NotOfProjects] of the directory of kernels.
func (s Selection) notOfProjects() error {
	at, err := s.Rules.Path(s.Shaders)
	if err != nil {
		return exit.Usagef("%v", err)
	}
	return NotOfProjects(at)
}

// NotOfProjects refuses a directory that is no project itself and has projects in it: whoever names it means these, and
// nothing of them would be judged.
func NotOfProjects(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // opening its sources says what is wrong
	}
	var projects []string
	for _, e := range entries {
		if in := filepath.Join(dir, e.Name()); e.IsDir() && holds(in, config.Name) {
			projects = append(projects, in)
		}
	}
	if len(projects) == 0 {
		return nil
	}
	return exit.Usagef("%s has projects of its own, in %s: name one (-catalogue judges by the catalogue)", dir,
		strings.Join(projects, ", "))
}

// sourcesOf is where the sources of a specification in a directory are: the nearest directory above it, itself
// included, that has sources or declarations; itself if the repository has none.
func sourcesOf(dir string) string {
	const levels = 8
	for at, i := dir, 0; i < levels && !holds(at, ".git"); at, i = filepath.Join(at, ".."), i+1 {
		if holds(at, config.Name, metalrun.SourceExtension, metalrun.LibraryExtension) {
			return at
		}
	}
	return dir
}

// holds reports whether a directory itself has a file with one of the names, or of the extensions.
func holds(dir string, names ...string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		if e.Name() == ".git" {
			return slices.Contains(names, ".git")
		}
		return !e.IsDir() && !strings.HasPrefix(e.Name(), ".") &&
			(slices.Contains(names, e.Name()) || slices.Contains(names, filepath.Ext(e.Name())))
	})
}

// inFiles are the cases of kernels that the files export which are named.
func (s Selection) inFiles(cases []suite.Case, source *suite.Shaders) ([]suite.Case, error) {
	if len(s.only) == 0 {
		return cases, nil
	}
	covered := map[string]bool{}
	cases = slices.DeleteFunc(cases, func(c suite.Case) bool {
		return !slices.ContainsFunc(c.Kernels(), func(kernel string) bool {
			in, known := covered[kernel]
			if !known {
				file, _, err := source.Find(kernel)
				in = err == nil && slices.Contains(s.only, file)
				covered[kernel] = in
			}
			return in
		})
	})
	if len(cases) == 0 {
		return nil, exit.Usagef("no specification is about a kernel of %s (conform new %s writes one)",
			strings.Join(s.only, ", "), Quote(filepath.Join(s.Shaders, s.only[0])))
	}
	return cases, nil
}
