package session

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/checkout"
	"metalconform/internal/config"
	"metalconform/internal/regular"
	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/adhoc"

	"github.com/spf13/pflag"
)

// BuildFlags are the flags of a compiler that commands have which judge the kernels of a
// directory. The mode of arithmetic is not among them: bounds depend on it.
type BuildFlags struct {
	config.CompileFlags
	constants config.Assignments
	set       *pflag.FlagSet
}

func newBuildFlags() BuildFlags {
	return BuildFlags{CompileFlags: config.NewCompileFlags(), constants: config.Assignments{}}
}

// Add defines the flags.
func (b *BuildFlags) Add(flags *pflag.FlagSet) {
	b.set = flags
	b.AddSource(flags)
	flags.Var(b.constants, "constant", "state a function constant as `NAME=VALUE` or INDEX=VALUE; repeatable")
}

// BuildFlagNames are the names of the flags, in the order in which they are repeated.
var BuildFlagNames = []string{"std", "I", "D", "U", "include", "prelude", "instantiate", "name", "constant",
	"compile-budget", "compile-limit", "source-memory"}

// given reports whether there is any of the flags.
func (b *BuildFlags) given() bool {
	return b.set != nil && slices.ContainsFunc(BuildFlagNames, b.set.Changed)
}

// ReplayFlags are the flags as they were given.
func (b *BuildFlags) ReplayFlags() []string {
	if b.set == nil {
		return nil
	}
	var list []string
	if b.set.Changed("std") {
		list = append(list, "-std "+b.Version.String())
	}
	for _, dir := range b.Include {
		list = append(list, "-I "+Quote(dir))
	}
	for _, arg := range b.PrologueFlags {
		list = append(list, quoteFlag(arg))
	}
	for _, i := range b.Instances {
		list = append(list, "-instantiate "+Quote(i.Template))
		if i.Name != "" {
			list = append(list, "-name "+Quote(i.Name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.constants)) {
		list = append(list, "-constant "+Quote(name+"="+b.constants[name]))
	}
	if b.set.Changed("source-memory") {
		list = append(list, fmt.Sprintf("-source-memory %d", b.Memory.MiB))
	}
	return append(list, b.Bounds.ReplayFlags()...)
}

// quoteFlag spells a flag and its argument, which a blank separates.
func quoteFlag(s string) string {
	flag, arg, _ := strings.Cut(s, " ")
	return flag + " " + Quote(arg)
}

// build is what the flags say about every file.
func (b *BuildFlags) build() suite.Flags {
	out := suite.Flags{Before: strings.Join(b.Prologue, ""), After: b.Instances.Source(), Constants: b.constants}
	if b.given() && b.set.Changed("std") {
		out.Version = metalrun.Version(b.Version)
	}
	for _, dir := range b.Include {
		out.Dirs = append(out.Dirs, filepath.ToSlash(filepath.Clean(dir)))
	}
	return out
}

// front is a front end that builds the files of a directory as the flags and its
// declarations say, each in the variant of the name.
func (b *BuildFlags) front(analyse suite.Analyse, at *checkout.Checkout, dir string, declared *suite.Declarations,
	variant string) suite.Analyse {
	flags := b.build()
	return func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
		declared := declared.FlagsOf(src.Name, variant)
		how := declared.With(flags)
		if how.Version != 0 {
			opts.LanguageVersion = how.Version
		}
		opts = b.Bounds.With(opts)
		files := src.Files
		src.Dirs, src.Before, src.After = how.Dirs, how.Before, how.After
		if len(how.Dirs) > 0 || how.Before != "" {
			outside := filesOutside(at, dir, flags)
			var err error
			src, err = src.Read(func(name string) ([]byte, error) {
				if text, ok := files[name]; ok {
					return []byte(text), nil
				}
				return outside(name)
			})
			if err != nil {
				return nil, err
			}
		}
		p, err := analyse(src, opts)
		if err != nil || len(how.Constants) == 0 {
			return p, err
		}
		return Specialise(p, how.Constants)
	}
}

// Specialise gives a program those of the constants that it has: others belong to
// other files.
func Specialise(p *metalrun.Program, constants map[string]string) (*metalrun.Program, error) {
	own := map[string]string{}
	for _, c := range p.FunctionConstants() {
		for _, name := range []string{c.Name, fmt.Sprint(c.Index)} {
			if value, ok := constants[name]; ok {
				own[name] = value
			}
		}
	}
	if len(own) == 0 {
		return p, nil
	}
	return adhoc.Specialise(p, own)
}

// filesOutside reads the files that flags name: below a directory of -I, or one that is to
// be included ahead. What a directory's own declarations name lies in it.
func filesOutside(at *checkout.Checkout, dir string, flags suite.Flags) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		real, err := at.Path(filepath.FromSlash(name))
		if err != nil {
			return nil, err
		}
		for _, d := range flags.Dirs {
			rest, below := strings.CutPrefix(name, d+"/")
			if d == "." { // which path.Join leaves out
				rest, below = name, true
			}
			if below && filepath.IsLocal(rest) {
				if d, err = at.Path(d); err != nil {
					return nil, err
				}
				if inside, err := regular.NewTrees(d).Has(real); err != nil {
					return nil, err
				} else if !inside {
					return nil, fmt.Errorf("%s: a link out of its directory", name)
				}
				return regular.Read(real, regular.Source)
			}
		}
		if strings.Contains(flags.Before, `#include "`+name+`"`) {
			return regular.Read(real, regular.Source)
		}
		return nil, fmt.Errorf("%s in %s: %w", name, dir, fs.ErrNotExist)
	}
}
