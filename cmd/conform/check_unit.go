package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"
)

// checkedUnit is a file as check compiles it: by the flags, and before them by what
// [[compile]] in a conform.toml of the directory says, in one of its variants.
type checkedUnit struct {
	source    metalrun.Source
	options   metalrun.CompileOptions
	constants map[string]string // of functions, declared
	variant   string            // "" if the file has none
}

// units are the files with what the flags and the declarations beside them say. A
// conform.toml counts for a directory that is named, and for a file beside it.
func (c *checking) units(named []string) ([]checkedUnit, error) {
	if len(named) == 0 {
		return nil, usageError("no file given")
	}
	var list []checkedUnit
	for _, name := range named {
		dir := name
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			dir = filepath.Dir(name)
		}
		compilations, err := readCompilations(dir)
		if err != nil {
			return nil, err
		}
		files, err := metalFiles([]string{name})
		if err != nil {
			return nil, &exit{exitUsage, err}
		}
		for _, file := range files {
			rel, err := filepath.Rel(dir, file)
			if err != nil {
				return nil, &exit{exitUsage, err}
			}
			for _, flags := range compilations.Builds(filepath.ToSlash(rel)) {
				u, err := c.unit(file, dir, flags)
				if err != nil {
					return nil, err
				}
				list = append(list, u)
			}
		}
	}
	return list, nil
}

// unit is a file of dir, built so. What the command line says comes last and counts.
func (c *checking) unit(file, dir string, declared suite.Flags) (checkedUnit, error) {
	own := c.compileFlags
	own.dirs = slices.Clone(c.dirs)
	for _, d := range declared.Dirs {
		own.dirs = append(own.dirs, filepath.Join(dir, filepath.FromSlash(d)))
	}
	if declared.Before != "" { // its files are named as in dir
		own.dirs = append(own.dirs, dir)
	}
	own.before = append([]string{declared.Before}, c.before...)
	u := checkedUnit{options: c.options(), constants: declared.Constants, variant: declared.Name}
	if declared.Version != 0 && c.version == version(metalrun.DefaultVersion) {
		u.options.LanguageVersion = declared.Version
	}
	if declared.Math != nil && len(c.math.list) == 0 {
		u.options = u.options.With(*declared.Math)
	}
	sources, err := own.sources([]string{file})
	if err != nil {
		return u, err
	}
	u.source = sources[0]
	u.source.After = declared.After + u.source.After
	return u, nil
}

// readCompilations reads what a directory's conform.toml says of how files are built; the
// rest of it is about judging kernels.
func readCompilations(dir string) (*suite.Declarations, error) {
	file, text, err := readConfig("", dir)
	if err != nil || file == "" {
		return nil, err
	}
	c, err := decodeConfig(file, text)
	if err != nil {
		return nil, &exit{exitUsage, err}
	}
	r := &configReader{file: file, lines: linesOf(text)}
	d := &suite.Declarations{}
	for i, e := range c.Compile {
		d.Compilations = append(d.Compilations, r.at("compile", i).compilation(e))
	}
	if err := r.err(); err != nil {
		return nil, &exit{exitUsage, err}
	}
	return d, nil
}

// title is how messages call the unit.
func (u checkedUnit) title() string {
	if u.variant == "" {
		return u.source.Name
	}
	return u.source.Name + " (" + strings.ReplaceAll(u.variant, ",", ", ") + ")"
}
