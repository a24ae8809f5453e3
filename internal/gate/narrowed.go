package gate

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/reports"
	"metalconform/suite"
)

// narrowed are the cases that specifications asked for at the base and do not ask for any more. Both sides are judged
// by the specifications of now, so that nothing else would tell.
func (g *Gate) narrowed(ctx context.Context) ([]reports.Vanished, error) {
	there := map[string]bool{}
	for _, c := range g.Spec.Cases(session.SetOf(g.Sweep)) {
		there[c.Name] = true
	}
	var list []reports.Vanished
	before, err := g.specificationsBefore(ctx)
	if err != nil {
		return nil, err
	}
	index := map[string]int{}
	for _, was := range before {
		for _, c := range suite.Cases(was, session.SetOf(g.Sweep)) {
			if there[c.Name] || g.Selection.Run.Regexp != nil && !g.Selection.Run.MatchString(c.Name) {
				continue
			}
			i, ok := index[c.Kernel.Name]
			if !ok {
				i = len(list)
				index[c.Kernel.Name] = i
				list = append(list, reports.Vanished{Kernel: c.Kernel.Name})
			}
			list[i].Cases = append(list[i].Cases, c.Name)
		}
	}
	return list, nil
}

// specificationsBefore are what the specifications said at the base: of a directory those that it had then, whatever it
// has now.
func (g *Gate) specificationsBefore(ctx context.Context) (list [][]suite.Family, err error) {
	if g.Spec.Given() && !g.Spec.Found() {
		for _, file := range g.Spec.Files {
			was, err := g.specificationAt(ctx, file)
			if err != nil {
				return nil, err
			}
			list = append(list, was)
		}
		return list, nil
	}
	p, err := config.ReadProject("", g.scratch)
	if err != nil || g.ByCatalogue() {
		return nil, nil // it was no project that can be read, or is not asked for
	}
	for _, file := range p.Specifications {
		var was session.Specifications
		if was.Set(file) == nil {
			list = append(list, was.Families)
		}
	}
	return list, nil
}

// specificationAt is what a file of -spec said at the base; nothing if it was not there, lies outside of the repository
// or could not be read there, as where it needs data that git does not keep.
func (g *Gate) specificationAt(ctx context.Context, file string) ([]suite.Family, error) {
	r := g.repository
	at, err := filepath.Abs(file)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return nil, exit.With(exit.Device, err)
	}
	rel, err := filepath.Rel(r.root, at)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, nil
	}
	rel = filepath.ToSlash(rel)
	names, err := r.git(ctx, "ls-tree", "-r", "-z", "--name-only", r.base, "--", path.Dir(rel))
	if err != nil {
		return nil, exit.With(exit.Device, err)
	}
	dir, err := os.MkdirTemp(g.scratch, "spec")
	if err != nil {
		return nil, exit.With(exit.Device, err)
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, exit.With(exit.Device, err)
	}
	defer root.Close()
	all := strings.Split(strings.TrimRight(names, "\x00"), "\x00")
	if !slices.Contains(all, rel) {
		return nil, nil
	}
	for _, name := range all {
		if path.Ext(name) != ".star" {
			continue
		}
		text, err := r.git(ctx, "show", r.base+":"+name)
		if err == nil {
			err = root.MkdirAll(path.Dir(name), 0o777)
		}
		if err == nil {
			err = root.WriteFile(name, []byte(text), 0o666)
		}
		if err != nil {
			return nil, exit.With(exit.Device, err)
		}
	}
	var was session.Specifications
	if err := was.Set(filepath.Join(dir, filepath.FromSlash(rel))); err != nil {
		return nil, nil
	}
	return was.Families, nil
}
