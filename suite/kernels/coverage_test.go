package kernels

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalconform/metalrun"
	"metalconform/shaders"
	"metalconform/suite"
)

// TestCoverage checks that shaders, specifications and oracles belong together:
// each kernel has all three in files of one name, nothing is left over, and the
// source declares the arguments that the specification gives.
func TestCoverage(t *testing.T) {
	for _, sentence := range readCatalogue(t).missing() {
		t.Error(sentence)
	}
}

// catalogue is what the three mirrored directories hold, by file without its
// extension.
type catalogue struct {
	families []suite.Family
	shaders  map[string][]metalrun.KernelInfo // entry points
	oracles  map[string][]string              // functions that answer
	uses     map[string][]string              // functions of package oracles that a file of specifications names
}

// readCatalogue reads these files once for all that ask.
func readCatalogue(t *testing.T) catalogue {
	t.Helper()
	c, err := catalogueOfFiles()
	if err != nil {
		t.Fatal(err)
	}
	c.families, c.oracles, c.uses = All(), maps.Clone(c.oracles), maps.Clone(c.uses)
	c.shaders = maps.Clone(c.shaders)
	for file, kernels := range c.shaders {
		kernels = slices.Clone(kernels)
		for i := range kernels {
			kernels[i].Args = slices.Clone(kernels[i].Args)
		}
		c.shaders[file] = kernels
	}
	return c
}

var catalogueOfFiles = sync.OnceValues(func() (catalogue, error) {
	c := catalogue{shaders: map[string][]metalrun.KernelInfo{}, oracles: map[string][]string{},
		uses: map[string][]string{}}
	names, err := fs.Glob(shaders.FS, "*.metal")
	if err != nil {
		return c, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(shaders.FS, name)
		if err != nil {
			return c, err
		}
		p, err := metalrun.Analyse(metalrun.SourceText(name, string(text)), metalrun.CompileOptions{})
		if err != nil {
			return c, err
		}
		kernels, err := p.Kernels()
		if err != nil {
			return c, err
		}
		c.shaders[stem(name)] = kernels
	}
	files, err := goFiles("../../oracles")
	if err != nil {
		return c, err
	}
	for _, f := range files {
		if answers := answering(f.syntax); len(answers) > 0 {
			c.oracles[f.stem] = answers
		}
	}
	files, err = goFiles(".")
	for _, f := range files {
		c.uses[f.stem] = named(f.syntax, "oracles")
	}
	return c, err
})

// missing are sentences about everything that has no counterpart.
func (c catalogue) missing() []string {
	var out []string
	note := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	specified := map[string]bool{}
	for _, f := range c.families {
		if len(f.Pipelines) > 0 {
			continue
		}
		sources, ok := c.shaders[f.Name]
		if !ok {
			note("family %s has no file shaders/%s.metal", f.Name, f.Name)
			continue
		}
		if _, ok := c.oracles[f.Name]; !ok {
			note("family %s has no oracle in oracles/%s.go", f.Name, f.Name)
		}
		for _, k := range f.Kernels {
			specified[k.Name] = true
			at := slices.IndexFunc(sources, func(s metalrun.KernelInfo) bool { return s.Name == k.Name })
			if at < 0 {
				note("suite/kernels/%s.go specifies %s: shaders/%s.metal exports no kernel of that name", f.Name,
					k.Name, f.Name)
				continue
			}
			if k.Oracle == nil {
				note("suite/kernels/%s.go specifies %s without an oracle", f.Name, k.Name)
			}
			out = append(out, arguments(k, sources[at])...)
		}
	}
	for _, f := range c.families {
		for _, pipeline := range f.Pipelines {
			for _, name := range pipeline.Kernels {
				if !specified[name] {
					note("the pipeline %s launches %s: no file in suite/kernels specifies a kernel of that name",
						pipeline.Name, name)
				}
			}
		}
	}
	for _, file := range sorted(c.shaders) {
		for _, k := range c.shaders[file] {
			if !specified[k.Name] {
				note("shaders/%s.metal exports %s: no kernel of that name in suite/kernels/%s.go", file, k.Name, file)
			}
		}
	}
	for _, file := range sorted(c.oracles) {
		for _, name := range c.oracles[file] {
			asked := func(f string) bool { return slices.Contains(c.uses[f], name) }
			if !slices.ContainsFunc(sorted(c.uses), asked) {
				note("oracles/%s.go defines %s: no specification in suite/kernels asks it", file, name)
			}
		}
	}
	return out
}

// arguments are sentences about each binding that the source declares other
// than the specification does: name, index, writability, size of an element.
func arguments(k suite.Kernel, source metalrun.KernelInfo) []string {
	var out []string
	note := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("%s: %s", source.Position, fmt.Sprintf(format, args...)))
	}
	declared := map[int]metalrun.ArgInfo{}
	memory := 0
	for _, a := range source.Args {
		if a.Kind == metalrun.ThreadgroupArg {
			memory++
			continue
		}
		declared[a.Index] = a
		if a.Index >= len(k.Args) {
			note("%s has %s at [[buffer(%d)]], the specification ends at %d", k.Name, a.Name, a.Index, len(k.Args)-1)
		}
	}
	for i, want := range k.Args {
		got, ok := declared[i]
		if !ok {
			note("%s has nothing at [[buffer(%d)]], the specification has %s", k.Name, i, want.Name)
			continue
		}
		if got.Name != want.Name {
			note("%s has %s at [[buffer(%d)]], the specification has %s", k.Name, got.Name, i, want.Name)
		}
		if got.Writable != want.Writable() {
			note("%s can write %s: %t, the specification says %t", k.Name, want.Name, got.Writable, want.Writable())
		}
		if size := got.Size / components(got.Type); !slices.Contains(elementSizes(want), size) {
			note("%s has elements of %d bytes in %s, the specification %d", k.Name, size, want.Name,
				elementSizes(want)[0])
		}
	}
	if memory != len(k.ThreadgroupMemory) {
		note("%s has %d arguments in threadgroup memory, the specification %d", k.Name, memory,
			len(k.ThreadgroupMemory))
	}
	return out
}

// components is the number of elements in a type: a kernel may take them as
// vectors of 2 or 4.
func components(t string) int {
	switch {
	case strings.HasSuffix(t, "4"):
		return 4
	case strings.HasSuffix(t, "2"):
		return 2
	}
	return 1
}

// elementSizes are the sizes that a source may give the element of an
// argument. Scalars that are all of one size are a struct or an array.
func elementSizes(a suite.Arg) []int {
	if a.Role != suite.RoleParams {
		return []int{a.Type.Bytes()}
	}
	size, widest := 0, 1
	uniform := true
	for _, f := range a.Fields {
		n := f.Type.Bytes()
		size = (size+n-1)/n*n + n
		widest = max(widest, n)
		uniform = uniform && n == a.Fields[0].Type.Bytes()
	}
	sizes := []int{(size + widest - 1) / widest * widest}
	if uniform {
		sizes = append(sizes, widest)
	}
	return sizes
}

// goFile is a source file of a package, without its tests.
type goFile struct {
	stem   string
	syntax *ast.File
}

func goFiles(dir string) ([]goFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []goFile
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, goFile{stem(name), f})
	}
	return files, nil
}

// answering are the exported functions of a file whose first result is an
// Answer.
func answering(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || !fn.Name.IsExported() || fn.Type.Results == nil {
			continue
		}
		if result, ok := fn.Type.Results.List[0].Type.(*ast.Ident); ok && result.Name == "Answer" {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

// named are the names that a file takes from a package.
func named(f *ast.File, pkg string) []string {
	var names []string
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg {
				names = append(names, s.Sel.Name)
			}
		}
		return true
	})
	return names
}

func stem(file string) string { return strings.TrimSuffix(file, filepath.Ext(file)) }

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// TestCoverageNames checks the sentences: each gap in the catalogue has one that
// names it.
func TestCoverageNames(t *testing.T) {
	const norms = "rms_norm_bf16_fused_n_tokens"
	fused := func(c *catalogue) *suite.Kernel {
		at := slices.IndexFunc(c.families[2].Kernels, func(k suite.Kernel) bool { return k.Name == norms })
		return &c.families[2].Kernels[at]
	}
	argument := func(c *catalogue, name string) *metalrun.ArgInfo {
		sources := c.shaders["norm"]
		source := sources[slices.IndexFunc(sources, func(k metalrun.KernelInfo) bool { return k.Name == norms })]
		return &source.Args[slices.IndexFunc(source.Args, func(a metalrun.ArgInfo) bool { return a.Name == name })]
	}
	for _, test := range []struct {
		name string
		gap  func(*catalogue)
		want string
	}{
		{"no shaders", func(c *catalogue) { delete(c.shaders, "norm") }, "family norm has no file shaders/norm.metal"},
		{"no oracles", func(c *catalogue) { delete(c.oracles, "norm") },
			"family norm has no oracle in oracles/norm.go"},
		{"no kernel", func(c *catalogue) { c.shaders["norm"] = nil },
			"suite/kernels/norm.go specifies " + norms + ": shaders/norm.metal exports no kernel of that name"},
		{"no oracle", func(c *catalogue) { fused(c).Oracle = nil },
			"suite/kernels/norm.go specifies " + norms + " without an oracle"},
		{"no specification", func(c *catalogue) { c.families[2].Kernels = nil },
			"shaders/norm.metal exports " + norms + ": no kernel of that name in suite/kernels/norm.go"},
		{"pipeline of no kernel", func(c *catalogue) {
			c.families = append(c.families, suite.Family{Name: "more",
				Pipelines: []suite.Pipeline{{Name: "bound", Kernels: []string{"nothing"}}}})
		}, "the pipeline bound launches nothing: no file in suite/kernels specifies a kernel of that name"},
		{"oracle not asked", func(c *catalogue) { c.uses["norm"] = nil },
			"oracles/norm.go defines RMSNorm: no specification in suite/kernels asks it"},
		{"argument too many", func(c *catalogue) { fused(c).Args = fused(c).Args[:4] },
			norms + " has eps at [[buffer(4)]], the specification ends at 3"},
		{"argument missing", func(c *catalogue) { argument(c, "eps").Kind = metalrun.ThreadgroupArg },
			norms + " has nothing at [[buffer(4)]], the specification has eps"},
		{"argument renamed", func(c *catalogue) { argument(c, "weight").Name = "w" },
			norms + " has w at [[buffer(1)]], the specification has weight"},
		{"input writable", func(c *catalogue) { argument(c, "x").Writable = true },
			norms + " can write x: true, the specification says false"},
		{"output read-only", func(c *catalogue) { argument(c, "out").Writable = false },
			norms + " can write out: false, the specification says true"},
		{"element too wide", func(c *catalogue) { argument(c, "weight").Size = 4 },
			norms + " has elements of 4 bytes in weight, the specification 2"},
		{"threadgroup memory", func(c *catalogue) { fused(c).ThreadgroupMemory = []suite.Extent{suite.Fixed(16)} },
			norms + " has 0 arguments in threadgroup memory, the specification 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := readCatalogue(t)
			if c.families[2].Name != "norm" {
				t.Fatal("the third family is not norm")
			}
			test.gap(&c)
			got := c.missing()
			if !slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, test.want) }) {
				t.Errorf("got %q, want a sentence that ends in %q", got, test.want)
			}
		})
	}
}
