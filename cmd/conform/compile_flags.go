package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/regular"
	"metalconform/metalrun"

	"github.com/spf13/pflag"
)

// compileFlags are the flags of a compiler.
type compileFlags struct {
	version version
	math    maths
	dirs    []string
	before  []string // lines ahead of every file
	written []string // the flags that made them
	after   instantiations
	ahead   []string // files of -include and -prelude
	bounds  compileBounds
	memory  *sourceMemory // of all files that are read
}

func newCompileFlags() compileFlags {
	return compileFlags{version: version(metalrun.DefaultVersion)}
}

// add defines the flags.
func (c *compileFlags) add(flags *pflag.FlagSet) {
	c.addSource(flags)
	c.math.one = true
	flags.Var(&c.math, "math", mathUsage+"; safe if not given")
}

// addSource defines the flags that say what the source is.
func (c *compileFlags) addSource(flags *pflag.FlagSet) {
	flags.Var(&c.version, "std", "language `VERSION`, 3.1 if not given")
	flags.StringArrayVarP(&c.dirs, "I", "I", nil, "look for includes in `DIR` too; repeatable")
	flags.VarP(&prologue{c, "-D ", define}, "D", "D", "define the macro `NAME`, NAME=VALUE or NAME(X)=VALUE; 1 without a value; repeatable")
	flags.VarP(&prologue{c, "-U ", undefine}, "U", "U", "undefine the macro `NAME`; in order with -D and -include; repeatable")
	flags.Var(&prologue{c, "-include ", c.include}, "include", "include `FILE` ahead of the source; repeatable")
	flags.Var(&prologue{c, "-prelude ", c.include}, "prelude", "glue `FILE` ahead of the source, as a host does that joins its sources at run time; repeatable")
	flags.Var(&c.after, "instantiate", "compile the instance `f<ARGS>` of a kernel template after the source, under the name of the -name that follows; repeatable")
	c.bounds.add(flags)
	c.memory = &sourceMemory{}
	c.memory.add(flags)
	flags.Var(instanceName{&c.after}, "name", "the host `NAME` of the instance before")
}

// options are what the flags tell the compiler.
func (c *compileFlags) options() metalrun.CompileOptions {
	opts := c.bounds.with(metalrun.CompileOptions{LanguageVersion: metalrun.Version(c.version)})
	for _, m := range c.math.list {
		opts = opts.With(m)
	}
	return opts
}

// sources reads the files with their includes. A directory stands for the .metal
// files in it and below.
func (c *compileFlags) sources(named []string) ([]metalrun.Source, error) {
	if len(named) == 0 {
		return nil, usageError("no file given")
	}
	trees := c.trees(named)
	names, err := metalFiles(named)
	if err != nil {
		return nil, &exit{exitUsage, err}
	}
	var dirs []string
	for _, dir := range c.dirs {
		dirs = append(dirs, filepath.ToSlash(filepath.Clean(dir)))
	}
	var sources []metalrun.Source
	for _, file := range names {
		src := metalrun.Source{Name: filepath.ToSlash(filepath.Clean(file)), Dirs: dirs, Before: strings.Join(c.before, ""), After: c.after.text()}
		src, err := src.Read(reader(file, trees))
		if err == nil {
			err = c.memory.take(src.Name, textsOf(src))
		}
		if err != nil {
			return nil, &exit{exitUsage, err}
		}
		sources = append(sources, src)
	}
	return sources, nil
}

// textsOf are the bytes of a source and its includes.
func textsOf(src metalrun.Source) int64 {
	var n int64
	for _, text := range src.Files {
		n += int64(len(text))
	}
	return n
}

// trees are the directories that all files may include from: those named, those of -I and
// -include, and the working directory for what lies in it.
func (c *compileFlags) trees(named []string) regular.Trees {
	dirs := slices.Clone(c.dirs)
	for _, name := range c.ahead {
		dirs = append(dirs, filepath.Dir(name))
	}
	for _, name := range named {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			dirs = append(dirs, name)
		}
	}
	return regular.NewTrees(dirs...)
}

// reader reads a source file and what it includes.
func reader(file string, trees regular.Trees) func(string) ([]byte, error) {
	trees = append(slices.Clone(trees), regular.NewTrees(filepath.Dir(file))...)
	wd := regular.NewTrees(".")
	if inside, err := wd.Has(file); err == nil && inside {
		trees = append(trees, wd...)
	}
	return func(name string) ([]byte, error) {
		name = filepath.FromSlash(name)
		switch inside, err := trees.Has(name); {
		case err != nil:
			return nil, err
		case !inside && name == filepath.Clean(file):
			return nil, fmt.Errorf("%s: a link out of its directory", file)
		case !inside:
			return nil, fmt.Errorf("%s includes %s, which lies outside of its directory: -I %s allows it", file, name, filepath.Dir(name))
		}
		return regular.Read(name, regular.Source)
	}
}

// metalFiles are the files, with each directory replaced by the .metal files below it.
func metalFiles(names []string) ([]string, error) {
	var found []string
	for _, name := range names {
		n := len(found)
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (path == name || filepath.Ext(path) == ".metal") {
				found = append(found, path)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil || len(found) == n {
			if err == nil {
				return nil, fmt.Errorf("%s: no .metal file in this directory", name)
			}
			found = append(found, name) // reading it says what is wrong
		}
	}
	return found, nil
}

// version is a flag that holds a language version such as 3.1.
type version metalrun.Version

func (v *version) String() string { return fmt.Sprintf("%d.%d", *v/100, *v/10%10) }
func (v *version) Type() string   { return "version" }
func (v *version) Set(s string) error {
	var major, minor int
	if n, err := fmt.Sscanf(s, "%d.%d", &major, &minor); n != 2 || err != nil || major < 1 || minor < 0 || minor > 9 {
		return errors.New("want a version such as 3.1")
	}
	*v = version(100*major + 10*minor)
	if v.String() != s {
		return errors.New("want a version such as 3.1")
	}
	return nil
}

// maths is a flag that says how floating-point mathematics is compiled.
type maths struct {
	list []metalrun.Math // none if it is not given
	one  bool            // it takes no more than one
}

const mathUsage = "compile for `safe|relaxed|fast` math, with functions that are fast in the last two and precise in the first, or others behind a +: fast+precise"

func (m *maths) Type() string { return "mode" }
func (m *maths) String() string {
	var names []string
	for _, x := range m.list {
		names = append(names, x.String())
	}
	return strings.Join(names, ",")
}
func (m *maths) Set(s string) error {
	if s == "all" && !m.one {
		m.list = metalrun.Maths()
		return nil
	}
	m.list = nil
	for name := range strings.SplitSeq(s, ",") {
		x, err := metalrun.ParseMath(name)
		switch {
		case err != nil:
			return err
		case m.one && len(m.list) > 0:
			return errors.New("want one mode")
		case slices.Contains(m.list, x):
			return fmt.Errorf("%s is named twice", x)
		}
		m.list = append(m.list, x)
	}
	return nil
}

// prologue is a flag that adds a line ahead of the sources.
type prologue struct {
	to   *compileFlags
	flag string
	line func(arg string) (string, error)
}

func (p *prologue) String() string { return "" }
func (p *prologue) Type() string   { return "line" }
func (p *prologue) Set(s string) error {
	if s == "" || strings.ContainsAny(s, "\n\r") {
		return errors.New("want one line that is not empty")
	}
	line, err := p.line(s)
	p.to.before = append(p.to.before, line+"\n")
	p.to.written = append(p.to.written, p.flag+s)
	return err
}

func define(arg string) (string, error) {
	name, value, given := strings.Cut(arg, "=")
	if !given {
		value = "1"
	}
	return "#define " + name + " " + value, nil
}

func undefine(arg string) (string, error) { return "#undef " + arg, nil }

func (c *compileFlags) include(arg string) (string, error) {
	if strings.Contains(arg, `"`) {
		return "", errors.New("a file name cannot hold a quotation mark")
	}
	c.ahead = append(c.ahead, arg)
	return `#include "` + filepath.ToSlash(filepath.Clean(arg)) + `"`, nil
}

// instantiations is a flag that names instances of kernel templates.
type instantiations []struct{ instance, name string }

func (l *instantiations) String() string { return "" }
func (l *instantiations) Type() string   { return "instance" }
func (l *instantiations) Set(s string) error {
	if strings.ContainsAny(s, ";{}\n\r") || !strings.HasSuffix(strings.TrimSpace(s), ">") {
		return errors.New("want an instance such as f<float, 64>")
	}
	*l = append(*l, struct{ instance, name string }{instance: strings.TrimSpace(s)})
	return nil
}

// text is the explicit instantiations.
func (l instantiations) text() string {
	var b strings.Builder
	for _, i := range l {
		attr := ""
		if i.name != "" {
			attr = fmt.Sprintf("[[host_name(%q)]] ", i.name)
		}
		fmt.Fprintf(&b, "template %s[[kernel]] decltype(%s) %s;\n", attr, i.instance, i.instance)
	}
	return b.String()
}

// instanceName is a flag that names the last of the instances.
type instanceName struct{ list *instantiations }

func (n instanceName) String() string { return "" }
func (n instanceName) Type() string   { return "name" }
func (n instanceName) Set(s string) error {
	list := *n.list
	if len(list) == 0 || list[len(list)-1].name != "" {
		return errors.New("want -instantiate before it")
	}
	if s == "" || strings.ContainsAny(s, "\"\\\n") {
		return errors.New("want a name")
	}
	list[len(list)-1].name = s
	return nil
}
