package suite

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// Flags are those of a compiler that a host builds a file with.
type Flags struct {
	Name      string            // of the variant of the file that it makes; "" for none
	Version   metalrun.Version  // of the language; 0 for what the others say
	Dirs      []string          // where includes are looked up
	Before    string            // text ahead of the file
	After     string            // and behind it
	Constants map[string]string // values of function constants, by name or index
	Math      *metalrun.Math    // nil for what the others say
}

// With are the flags and then others.
func (b Flags) With(o Flags) Flags {
	if o.Version != 0 {
		b.Version = o.Version
	}
	if o.Math != nil {
		b.Math = o.Math
	}
	if o.Name != "" {
		b.Name = o.Name
	}
	b.Dirs = slices.Concat(b.Dirs, o.Dirs)
	b.Before += o.Before
	b.After += o.After
	all := maps.Clone(b.Constants)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, o.Constants)
	b.Constants = all
	return b
}

// Compilation declares how files are built, and in which variants each is judged.
type Compilation struct {
	Files    Pattern // by their names in the directory
	Flags    Flags
	Variants []Flags // what differs, each with a name; none: the file is one program
}

// FlagsOf is how a file is built in a variant, or in the first of its variants if none of
// them has the name. Of several matrices the last counts.
func (d *Declarations) FlagsOf(file, variant string) Flags {
	var all, chosen Flags
	if d == nil {
		return all
	}
	for _, c := range d.Compilations {
		if !c.Files.MatchString(file) {
			continue
		}
		all = all.With(c.Flags)
		if len(c.Variants) > 0 {
			i := slices.IndexFunc(c.Variants, func(b Flags) bool { return b.Name == variant })
			chosen = c.Variants[max(i, 0)]
		}
	}
	return all.With(chosen)
}

// Builds are the flags that a file is built with: one for each of its variants, or one.
func (d *Declarations) Builds(file string) []Flags {
	names := []string{""}
	if d != nil {
		for _, c := range d.Compilations {
			if c.Files.MatchString(file) && len(c.Variants) > 0 {
				names = nil
				for _, v := range c.Variants {
					names = append(names, v.Name)
				}
			}
		}
	}
	list := make([]Flags, 0, len(names))
	for _, name := range names {
		list = append(list, d.FlagsOf(file, name))
	}
	return list
}

// Varies reports whether some file may have variants.
func (d *Declarations) Varies() bool {
	return d != nil && slices.ContainsFunc(d.Compilations, func(c Compilation) bool { return len(c.Variants) > 0 })
}

// Vary opens the variants of files. Each has a front end that builds them so.
func (s *Shaders) Vary(d *Declarations, analyse func(variant string) Analyse) {
	if d == nil {
		return
	}
	for _, c := range d.Compilations {
		for _, b := range c.Variants {
			s.vary(b.Name, analyse(b.Name), c.Files)
		}
	}
}

// vary makes other units of the files that a pattern matches.
func (s *Shaders) vary(name string, analyse Analyse, files Pattern) {
	v := s.variants[name]
	if v == nil {
		v = &Shaders{files: s.files, units: slices.Clone(s.units), analyse: analyse, trusted: s.trusted}
	}
	varied := false
	for i, u := range s.units {
		if files.MatchString(u.file) {
			v.units[i] = newUnit(metalrun.Source{Name: u.file, Files: s.files}, analyse)
			varied = true
		}
	}
	if !varied {
		return
	}
	if s.variants == nil {
		s.variants = map[string]*Shaders{}
	}
	if s.variants[name] == nil {
		s.variants[name] = v
		s.order = append(s.order, name)
	}
}

// Variant are the shaders of a variant: themselves if there is none of that name.
func (s *Shaders) Variant(name string) *Shaders {
	if v := s.variants[name]; v != nil {
		return v
	}
	return s
}

// Varied are the cases, each once for every variant of a file that has a kernel of it.
// Its name ends with that of the variant.
func (s *Shaders) Varied(cases []Case) []Case {
	if len(s.order) == 0 {
		return cases
	}
	var list []Case
	variants := map[string][]string{} // by kernel
	for _, c := range cases {
		of := s.variantsOfCase(c, variants)
		if of == nil {
			list = append(list, c)
		}
		for _, v := range of {
			varied := c
			varied.Name, varied.Variant = c.Name+"/"+v, v
			list = append(list, varied)
		}
	}
	return list
}

// VariedCount is how many cases [Shaders.Varied] makes.
func (s *Shaders) VariedCount(cases []Case) (n int) {
	if len(s.order) == 0 {
		return len(cases)
	}
	variants := map[string][]string{}
	for _, c := range cases {
		n += max(1, len(s.variantsOfCase(c, variants)))
	}
	return n
}

// variantsOfCase are the variants of the files that have kernels of the case. known are those of kernels.
func (s *Shaders) variantsOfCase(c Case, known map[string][]string) (of []string) {
	for _, k := range c.Kernels() {
		if _, asked := known[k]; !asked {
			known[k] = s.variantsOf(k)
		}
		for _, v := range known[k] {
			of = with(of, v)
		}
	}
	return of
}

// variantsOf are the variants of the file that exports a kernel.
func (s *Shaders) variantsOf(kernel string) []string {
	var list []string
	for _, name := range s.order {
		v := s.variants[name]
		for i, u := range v.units {
			if u == s.units[i] {
				continue
			}
			names, err := u.names()
			if err != nil && u.mentions(kernel) || slices.Contains(names, kernel) {
				list = append(list, name)
			}
		}
	}
	return list
}

// own are the units of the variants, with their names.
func (s *Shaders) own(f func(variant string, u *unit)) {
	for _, u := range s.units {
		f("", u)
	}
	for _, name := range s.order {
		for i, u := range s.variants[name].units {
			if u != s.units[i] {
				f(name, u)
			}
		}
	}
}

// in says of a file which variant of it does not compile.
func (b *BrokenFile) in(variant string) *BrokenFile {
	if variant == "" {
		return b
	}
	list := slices.Clone(b.Diagnostics)
	for i := range list {
		list[i].Message += " (in variant " + variant + ")"
	}
	return &BrokenFile{File: b.File, Crash: b.Crash, Diagnostics: list}
}

// Build is what a host chooses when it compiles a kernel for a point.
type Build struct {
	Constants map[string]float64 // of functions, by name or by index
	Macros    map[string]string
}

// Key identifies a build: "" is one that chooses nothing.
func (b Build) Key() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(b.Constants)) {
		parts = append(parts, fmt.Sprintf("%s=%v", name, b.Constants[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(b.Macros)) {
		parts = append(parts, fmt.Sprintf("-D%s=%q", name, b.Macros[name]))
	}
	return strings.Join(parts, " ")
}

// Build is that of the case.
func (c Case) Build() Build {
	if c.Kernel.Build == nil || c.Shape == nil {
		return Build{}
	}
	return c.Kernel.Build(c.Shape)
}

// options are the build's beside those that every compilation has.
func (b Build) options(o metalrun.CompileOptions) metalrun.CompileOptions {
	if len(b.Macros) > 0 {
		o.Macros = maps.Clone(o.Macros)
		if o.Macros == nil {
			o.Macros = map[string]string{}
		}
		maps.Copy(o.Macros, b.Macros)
	}
	return o
}

// specialise gives a program the values of its function constants.
func (b Build) specialise(p *metalrun.Program, math metalrun.Math, entries ...string) (*metalrun.Program, error) {
	values := map[int]any{}
	for _, d := range p.FunctionConstants() {
		x, ok := b.Constants[d.Name]
		if !ok {
			x, ok = b.Constants[strconv.Itoa(d.Index)]
		}
		if !ok {
			continue
		}
		var err error
		if values[d.Index], err = constantOf(d.Type, x); err != nil {
			return nil, fmt.Errorf("%s: function constant %s: %w", d.Position, d.Name, err)
		}
	}
	if len(values) < len(b.Constants) {
		var names []string
		for _, d := range p.FunctionConstants() {
			names = append(names, d.Name)
		}
		return nil, fmt.Errorf("the specification has function constants %s, the program %s",
			strings.Join(slices.Sorted(maps.Keys(b.Constants)), ", "), strings.Join(append(names, "no others"), ", "))
	}
	return p.Specialise(math, values, entries...)
}

// constantOf is a value for a function constant of a type.
func constantOf(typ string, x float64) (any, error) {
	switch typ {
	case "bool":
		return x != 0, nil
	case "float", "half", "bfloat":
		return float32(x), nil
	case "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong":
		if n := int64(x); float64(n) == x {
			return n, nil
		}
		return nil, fmt.Errorf("%v is no %s", x, typ)
	}
	return nil, fmt.Errorf("of type %s, which is no scalar", typ)
}
