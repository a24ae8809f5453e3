package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metalconform/internal/checkout"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
)

// Project is what a directory says of how its kernels are judged, so that no flag has to be repeated.
type Project struct {
	Specifications []string // files, with the directory before them
	Packs          []string
	Math           MathModes
}

// mostSpecifications bounds the specifications that are found in a directory.
const mostSpecifications = 1000

// loads is what names a file that another one loads.
var loads = regexp.MustCompile(`(?m)^load\(\s*["']([^"']+)["']`)

// ReadProject reads the keys specifications, packs and math of a directory's declarations, or of the file that is
// named. Without the first key the specifications are the .star files of the directory and below that no other one
// loads. A directory below that has declarations of its own is another project.
func ReadProject(at *checkout.Checkout, name, dir string) (p Project, err error) {
	name, text, err := Read(at, name, dir)
	if err != nil {
		return p, err
	}
	var c file
	if name != "" {
		if c, err = decode(name, text); err != nil {
			return p, exit.With(exit.Usage, err)
		}
	}
	p.Packs = c.Packs
	r := &reader{file: name, lines: linesOf(text)}
	top := table{reader: r}
	if len(c.Math) > 0 {
		if err := p.Math.Set(strings.Join(c.Math, ",")); err != nil {
			top.wrong("math", "%v", err)
		}
	}
	real, err := at.Path(dir)
	if err != nil {
		return p, exit.Usagef("%v", err)
	}
	found, err := specificationsIn(real)
	if err != nil {
		return p, exit.Usagef("%s: %v", dir, err)
	}
	if c.Specifications == nil {
		p.Specifications = found.roots()
	}
	for _, pattern := range c.Specifications {
		matches := found.matching(pattern)
		switch {
		case path.Clean(pattern) != pattern || !filepath.IsLocal(filepath.FromSlash(pattern)):
			top.wrong("specifications", "%q does not lie in the directory", pattern)
		case len(matches) == 0:
			top.wrong("specifications", "%q: no .star file has such a name; * stands for part of a name", pattern)
		}
		for _, m := range matches {
			if !slices.Contains(p.Specifications, m) {
				p.Specifications = append(p.Specifications, m)
			}
		}
	}
	for i, f := range p.Specifications {
		p.Specifications[i] = filepath.Join(dir, filepath.FromSlash(f))
	}
	if err := r.err(); err != nil {
		return p, exit.With(exit.Usage, err)
	}
	return p, nil
}

// starFiles are the .star files of a directory, with the files that each loads.
type starFiles map[string][]string

// specificationsIn finds the .star files of a directory. Links that leave it are not followed.
func specificationsIn(dir string) (starFiles, error) {
	found := starFiles{}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil // opening its sources says what is wrong
	}
	defer root.Close()
	fsys := root.FS()
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission) && name != ".":
			return fs.SkipDir
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || has(fsys, path.Join(name, Name))):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".star":
			return nil
		case len(found) == mostSpecifications:
			return fmt.Errorf("more than %d .star files: name some by specifications in %s", mostSpecifications, Name)
		}
		text, err := regular.ReadFrom(fsys, name, regular.Text)
		if err != nil {
			return err
		}
		found[name] = nil
		for _, m := range loads.FindAllSubmatch(text, -1) {
			found[name] = append(found[name], path.Join(path.Dir(name), string(m[1])))
		}
		return nil
	})
	return found, err
}

// has reports whether there is a file.
func has(fsys fs.FS, name string) bool {
	_, err := fs.Stat(fsys, name)
	return err == nil
}

// roots are the files that no other one loads.
func (s starFiles) roots() (list []string) {
	loaded := map[string]bool{}
	for name, files := range s {
		for _, f := range files {
			loaded[f] = loaded[f] || f != name
		}
	}
	for name := range s {
		if !loaded[name] {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// matching is the file of a name, or the files that match a pattern of path.Match and that no other one loads.
func (s starFiles) matching(pattern string) []string {
	if _, named := s[pattern]; named {
		return []string{pattern}
	}
	return slices.DeleteFunc(s.roots(), func(name string) bool {
		ok, err := path.Match(pattern, name)
		return !ok || err != nil
	})
}
