package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/metalrun"

	"github.com/spf13/pflag"
)

// CompileFlags are the flags of a compiler.
type CompileFlags struct {
	Version       Version
	Math          MathModes
	Include       []string
	Prologue      []string // lines ahead of every file
	PrologueFlags []string // the flags that made them
	Instances     instantiations
	ahead         []string // files of -include and -prelude
	Bounds        CompileBounds
	Memory        *sourceMemory // of all files that are read
}

// NewCompileFlags are the flags before any is given.
func NewCompileFlags() CompileFlags {
	return CompileFlags{Version: Version(metalrun.DefaultVersion)}
}

// Add defines the flags.
func (c *CompileFlags) Add(flags *pflag.FlagSet) {
	c.AddSource(flags)
	c.Math.One = true
	flags.Var(&c.Math, "math", MathUsage+"; safe if not given")
}

// AddSource defines the flags that say what the source is.
func (c *CompileFlags) AddSource(flags *pflag.FlagSet) {
	flags.Var(&c.Version, "std", "language `VERSION`, 3.1 if not given")
	flags.StringArrayVarP(&c.Include, "I", "I", nil, "look for includes in `DIR` too; repeatable")
	flags.VarP(&prologueFlag{c, "-D ", define}, "D", "D",
		"define the macro `NAME`, NAME=VALUE or NAME(X)=VALUE; 1 without a value; repeatable")
	flags.VarP(&prologueFlag{c, "-U ", undefine}, "U", "U",
		"undefine the macro `NAME`; in order with -D and -include; repeatable")
	flags.Var(&prologueFlag{c, "-include ", c.include}, "include", "include `FILE` before the source; repeatable")
	flags.Var(&prologueFlag{c, "-prelude ", c.include}, "prelude",
		"put `FILE` before the source, as a host does that joins its sources at run time; repeatable")
	flags.Var(&c.Instances, "instantiate",
		"compile the instance `f<ARGS>` of a kernel template after the source, under the name of the -name that "+
			"follows; repeatable")
	c.Bounds.Add(flags)
	c.Memory = &sourceMemory{}
	c.Memory.add(flags)
	flags.Var(instanceName{&c.Instances}, "name", "the host `NAME` of the preceding -instantiate")
}

// Options are what the flags tell the compiler.
func (c *CompileFlags) Options() metalrun.CompileOptions {
	opts := c.Bounds.With(metalrun.CompileOptions{LanguageVersion: metalrun.Version(c.Version)})
	for _, m := range c.Math.Modes {
		opts = opts.With(m)
	}
	return opts
}

// Sources reads the files with their includes. A directory stands for the .metal
// files in it and below.
func (c *CompileFlags) Sources(named []string) ([]metalrun.Source, error) {
	if len(named) == 0 {
		return nil, exit.Usagef("no file given: name a .metal file or a directory")
	}
	trees := c.trees(named)
	names, err := MetalFiles(named)
	if err != nil {
		return nil, exit.With(exit.Usage, err)
	}
	var dirs []string
	for _, dir := range c.Include {
		dirs = append(dirs, filepath.ToSlash(filepath.Clean(dir)))
	}
	var sources []metalrun.Source
	for _, file := range names {
		src := metalrun.Source{Name: filepath.ToSlash(filepath.Clean(file)), Dirs: dirs,
			Before: strings.Join(c.Prologue, ""), After: c.Instances.Source()}
		src, err := src.Read(SourceReader(file, trees))
		if err == nil {
			err = c.Memory.take(src.Name, textsOf(src))
		}
		if err != nil {
			return nil, exit.With(exit.Usage, err)
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
func (c *CompileFlags) trees(named []string) regular.Trees {
	dirs := slices.Clone(c.Include)
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

// SourceReader reads a source file and what it includes.
func SourceReader(file string, trees regular.Trees) func(string) ([]byte, error) {
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
			return nil, fmt.Errorf("%s includes %s, which lies outside of its directory, of the working directory and "+
				"of the directories of -I. A file may include from these alone: -I %s allows it", file, name,
				filepath.Dir(name))
		}
		return regular.Read(name, regular.Source)
	}
}

// MetalFiles are the files, with each directory replaced by the .metal files below it.
func MetalFiles(names []string) ([]string, error) {
	var found []string
	for _, name := range names {
		n := len(found)
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (path == name || filepath.Ext(path) == metalrun.SourceExtension) {
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

// Version is a flag that holds a language version such as 3.1.
type Version metalrun.Version

func (v *Version) String() string { return fmt.Sprintf("%d.%d", *v/100, *v/10%10) }
func (v *Version) Type() string   { return "version" }
func (v *Version) Set(s string) error {
	var major, minor int
	if n, err := fmt.Sscanf(s, "%d.%d", &major, &minor); n != 2 || err != nil || major < 1 || minor < 0 || minor > 9 {
		return errors.New("want a version such as 3.1")
	}
	*v = Version(100*major + 10*minor)
	if v.String() != s {
		return errors.New("want a version such as 3.1")
	}
	return nil
}

// MathModes is a flag that says how floating-point mathematics is compiled.
type MathModes struct {
	Modes []metalrun.Math // none if it is not given
	One   bool            // it takes no more than one
}

// MathUsage is the help of -math.
const MathUsage = "compile for `safe|relaxed|fast` math; safe has precise functions, the other two have fast " +
	"ones; fast+precise has precise ones"

func (m *MathModes) Type() string { return "mode" }
func (m *MathModes) String() string {
	var names []string
	for _, x := range m.Modes {
		names = append(names, x.String())
	}
	return strings.Join(names, ",")
}
func (m *MathModes) Set(s string) error {
	if s == "all" && !m.One {
		m.Modes = metalrun.Maths()
		return nil
	}
	m.Modes = nil
	for name := range strings.SplitSeq(s, ",") {
		x, err := metalrun.ParseMath(name)
		switch {
		case err != nil:
			return err
		case m.One && len(m.Modes) > 0:
			return errors.New("want one mode")
		case slices.Contains(m.Modes, x):
			return fmt.Errorf("%s is named twice", x)
		}
		m.Modes = append(m.Modes, x)
	}
	return nil
}

// prologueFlag is a flag that adds a line ahead of the sources.
type prologueFlag struct {
	to   *CompileFlags
	flag string
	line func(arg string) (string, error)
}

func (p *prologueFlag) String() string { return "" }
func (p *prologueFlag) Type() string   { return "line" }
func (p *prologueFlag) Set(s string) error {
	if s == "" || strings.ContainsAny(s, "\n\r") {
		return errors.New("want one line that is not empty")
	}
	line, err := p.line(s)
	p.to.Prologue = append(p.to.Prologue, line+"\n")
	p.to.PrologueFlags = append(p.to.PrologueFlags, p.flag+s)
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

func (c *CompileFlags) include(arg string) (string, error) {
	if strings.Contains(arg, `"`) {
		return "", errors.New("a file name cannot hold a quotation mark")
	}
	c.ahead = append(c.ahead, arg)
	return `#include "` + filepath.ToSlash(filepath.Clean(arg)) + `"`, nil
}

// instantiations is a flag that names instances of kernel templates.
type instantiations []Instance

// Instance is an instance of a kernel template, such as f<float, 64>, and its host name; "" for its own.
type Instance struct{ Template, Name string }

func (l *instantiations) String() string { return "" }
func (l *instantiations) Type() string   { return "instance" }
func (l *instantiations) Set(s string) error {
	if strings.ContainsAny(s, ";{}\n\r") || !strings.HasSuffix(strings.TrimSpace(s), ">") {
		return errors.New("want an instance such as f<float, 64>")
	}
	*l = append(*l, Instance{Template: strings.TrimSpace(s)})
	return nil
}

// Source is the explicit instantiations.
func (l instantiations) Source() string {
	var b strings.Builder
	for _, i := range l {
		attr := ""
		if i.Name != "" {
			attr = fmt.Sprintf("[[host_name(%q)]] ", i.Name)
		}
		fmt.Fprintf(&b, "template %s[[kernel]] decltype(%s) %s;\n", attr, i.Template, i.Template)
	}
	return b.String()
}

// instanceName is a flag that names the last of the instances.
type instanceName struct{ list *instantiations }

func (n instanceName) String() string { return "" }
func (n instanceName) Type() string   { return "name" }
func (n instanceName) Set(s string) error {
	list := *n.list
	if len(list) == 0 || list[len(list)-1].Name != "" {
		return errors.New("want -instantiate before it")
	}
	if s == "" || strings.ContainsAny(s, "\"\\\n") {
		return errors.New("want a name")
	}
	list[len(list)-1].Name = s
	return nil
}

// Assignments is a flag that can be given again: NAME=VALUE.
type Assignments map[string]string

func (a Assignments) String() string { return "" }

func (a Assignments) Type() string { return "assignment" }

func (a Assignments) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok || name == "" || value == "" {
		return errors.New("want NAME=VALUE")
	}
	a[name] = value
	return nil
}
