package config

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/suite"
)

// maxVariants bounds the combinations of one matrix.
const maxVariants = 256

// word is what a value of a matrix may be: it stands in the names of cases.
var word = regexp.MustCompile(`^[A-Za-z0-9_.+-]+$`)

// compilation is how the files that match are built.
func (t table) compilation(e compileEntry) suite.Compilation {
	c := suite.Compilation{}
	if e.File == "" {
		t.wrong("file", "no file: give its name in the directory, or a regular expression that the whole name matches")
		return c
	}
	c.Files, _ = t.pattern("file", e.File)
	if e.Std != "" {
		var v Version
		if err := v.Set(e.Std); err != nil {
			t.wrong("std", "%v", err)
		}
		c.Flags.Version = metalrun.Version(v)
	}
	if e.Math != "" {
		m, err := metalrun.ParseMath(e.Math)
		if err != nil {
			t.wrong("math", "%q: %v", e.Math, err)
		}
		c.Flags.Math = &m
	}
	for _, dir := range e.Include {
		c.Flags.Dirs = append(c.Flags.Dirs, t.inside("include", dir))
	}
	flags := NewCompileFlags()
	set := func(key, flag string, line func(string) (string, error), args ...string) {
		for _, arg := range args {
			if err := (&prologueFlag{&flags, flag, line}).Set(arg); err != nil {
				t.wrong(key, "%q: %v", arg, err)
			}
		}
	}
	set("define", "-D ", define, e.Define...)
	set("undefine", "-U ", undefine, e.Undefine...)
	for _, file := range e.Prelude {
		set("prelude", "-prelude ", flags.include, t.inside("prelude", file))
	}
	for _, name := range slices.Sorted(maps.Keys(e.Instances)) {
		err := flags.Instances.Set(e.Instances[name])
		if err == nil {
			err = instanceName{&flags.Instances}.Set(name)
		}
		if err != nil {
			t.wrong("instances", "%s: %v", name, err)
		}
	}
	c.Flags.Before, c.Flags.After = strings.Join(flags.Prologue, ""), flags.Instances.Source()
	c.Flags.Constants = map[string]string{}
	for name, value := range e.Constants {
		c.Flags.Constants[name] = fmt.Sprint(value)
	}
	c.Variants = t.variants(e)
	return c
}

// inside is a path in the directory, where all that declarations name lies.
func (t table) inside(key, name string) string {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		t.wrong(key, "%q does not lie in the directory", name)
		return ""
	}
	return path.Clean(filepath.ToSlash(name))
}

// variants are the combinations of what the matrices list.
func (t table) variants(e compileEntry) []suite.Flags {
	var list []suite.Flags
	for _, m := range []struct {
		key    string
		values map[string][]any
		add    func(b *suite.Flags, name, value string)
	}{
		{"matrix", e.Matrix, func(b *suite.Flags, name, value string) {
			b.Before += "#define " + name + " " + value + "\n"
		}},
		{"constant_matrix", e.Cases, func(b *suite.Flags, name, value string) {
			b.Constants = maps.Clone(b.Constants)
			if b.Constants == nil {
				b.Constants = map[string]string{}
			}
			b.Constants[name] = value
		}},
	} {
		for _, name := range slices.Sorted(maps.Keys(m.values)) {
			if list == nil {
				list = []suite.Flags{{}}
			}
			var next []suite.Flags
			for _, b := range list {
				for _, v := range m.values[name] {
					value := fmt.Sprint(v)
					if !word.MatchString(name) || !word.MatchString(value) {
						t.wrong(m.key,
							"%s = %q: names and values are parts of the names of cases: letters, digits and _.+- alone",
							name, value)
						return nil
					}
					one := b
					if one.Name != "" {
						one.Name += ","
					}
					one.Name += name + "=" + value
					m.add(&one, name, value)
					next = append(next, one)
				}
			}
			if list = next; len(list) == 0 || len(list) > maxVariants {
				t.wrong(m.key, "%s: the combinations are %d, want 1 to %d", name, len(list), maxVariants)
				return nil
			}
		}
	}
	return list
}

// ReadCompilations reads what a directory's conform.toml says of how files are built; the
// rest of it is about judging kernels.
func ReadCompilations(dir string) (*suite.Declarations, error) {
	file, text, err := Read(nil, "", dir)
	if err != nil || file == "" {
		return nil, err
	}
	c, err := decode(file, text)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	r := &reader{file: file, lines: linesOf(text)}
	d := &suite.Declarations{}
	for i, e := range c.Compile {
		d.Compilations = append(d.Compilations, r.at("compile", i).compilation(e))
	}
	if err := r.err(); err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	return d, nil
}
