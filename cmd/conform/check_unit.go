package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/suite"
)

// checkedUnit is a file as check and new compile it: by the flags, and before them by what
// [[compile]] in a conform.toml of the directory says, in one of its variants.
type checkedUnit struct {
	source    metalrun.Source
	options   metalrun.CompileOptions
	constants map[string]string // of functions, declared
	variant   string            // "" if the file has none
}

// units are the files with what the flags and the declarations beside them say. A
// conform.toml counts for a directory that is named, and for a file beside it. Without a name the working directory is
// meant.
func unitsOf(c *config.CompileFlags, named []string) ([]checkedUnit, error) {
	if len(named) == 0 {
		named = []string{"."}
		if _, err := config.MetalFiles(named); err != nil {
			return nil, exit.Usagef("no .metal file in this directory: name a file or a directory")
		}
	}
	var list []checkedUnit
	for _, name := range named {
		dir := name
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			dir = filepath.Dir(name)
		}
		compilations, err := config.ReadCompilations(dir)
		if err != nil {
			return nil, err
		}
		files, err := config.MetalFiles([]string{name})
		if err != nil {
			return nil, exit.With(exit.Usage, err)
		}
		for _, file := range files {
			rel, err := filepath.Rel(dir, file)
			if err != nil {
				return nil, exit.With(exit.Usage, err)
			}
			for _, flags := range compilations.Builds(filepath.ToSlash(rel)) {
				u, err := unitOf(c, file, dir, flags)
				if err != nil {
					return nil, err
				}
				list = append(list, u)
			}
		}
	}
	return list, nil
}

// unitOf is a file of dir, built so. What the command line says comes last and counts.
func unitOf(c *config.CompileFlags, file, dir string, declared suite.Flags) (checkedUnit, error) {
	own := *c
	own.Include = slices.Clone(c.Include)
	for _, d := range declared.Dirs {
		own.Include = append(own.Include, filepath.Join(dir, filepath.FromSlash(d)))
	}
	if declared.Before != "" { // its files are named as in dir
		own.Include = append(own.Include, dir)
	}
	own.Prologue = append([]string{declared.Before}, c.Prologue...)
	u := checkedUnit{options: c.Options(), constants: declared.Constants, variant: declared.Name}
	if declared.Version != 0 && c.Version == config.Version(metalrun.DefaultVersion) {
		u.options.LanguageVersion = declared.Version
	}
	if declared.Math != nil && len(c.Math.Modes) == 0 {
		u.options = u.options.With(*declared.Math)
	}
	sources, err := own.Sources([]string{file})
	if err != nil {
		return u, err
	}
	u.source = sources[0]
	u.source.After = declared.After + u.source.After
	return u, nil
}

// title is how messages call the unit.
func (u checkedUnit) title() string {
	if u.variant == "" {
		return u.source.Name
	}
	return u.source.Name + " (" + strings.ReplaceAll(u.variant, ",", ", ") + ")"
}
