package structure

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// platform is an operating system and a processor.
type platform struct{ os, arch string }

// platforms are those that this module is released for. macOS on amd64 adds no file to the union of the others.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}}

// references says which files of its package each file refers to, on any platform.
type references map[string]map[string]bool

// findReferences type-checks all packages of a module, and of the standard library what they need of it. A file
// refers to another one if it uses a package-level name or a method that the other one declares.
//
// Other modules are not read: none of their types has a method of this module, so nothing is lost, and they are
// three quarters of the source.
func findReferences(m *module) (references, error) {
	refs := references{}
	seen := map[string]bool{}
	for _, on := range platforms {
		listed, err := list(m.root, on)
		if err != nil {
			return nil, err
		}
		c := &checker{module: m, listed: listed, on: on, done: map[string]*types.Package{}, partial: map[string]bool{},
			seen: seen, refs: refs}
		for _, p := range slices.Sorted(maps.Keys(listed)) {
			if !c.ours(p) || seen[listed[p].files()] {
				continue
			}
			if _, err := c.Import(p); err != nil {
				return nil, err
			}
		}
	}
	return refs, nil
}

// checker type-checks packages from source for one platform.
type checker struct {
	module  *module
	listed  map[string]*listed
	on      platform
	done    map[string]*types.Package
	partial map[string]bool // packages that import other modules, or other packages that do
	seen    map[string]bool // what was checked with the bodies of its functions, on any platform, as files() names it
	refs    references
}

func (c *checker) ours(path string) bool {
	return path == c.module.name || strings.HasPrefix(path, c.module.name+"/")
}

// errElsewhere keeps the type checker from packages of other modules. Names that it does not find there are no
// errors, and promoted fields of their types only are errors in packages that are known to be checked in part.
var errElsewhere = errors.New("a package of another module")

// Import checks one package, with the bodies of its functions and what they refer to if it is one of the module.
func (c *checker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p, ok := c.done[path]; ok {
		return p, nil
	}
	l := c.listed[path]
	if l == nil || !l.Standard && !c.ours(path) {
		return nil, errElsewhere
	}
	files, err := c.parse(l)
	if err != nil {
		return nil, err
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	var failed error
	config := &types.Config{
		Importer:         importerOf{c, l},
		IgnoreFuncBodies: l.Standard || c.seen[l.files()],
		Sizes:            types.SizesFor("gc", c.on.arch),
		Error:            func(err error) { failed = cmp.Or(failed, err) },
	}
	p, _ := config.Check(path, c.module.fset, files, info)
	if failed != nil && !c.partial[path] {
		return nil, failed
	}
	c.done[path] = p
	if !config.IgnoreFuncBodies {
		c.seen[l.files()] = true
		c.add(p, info)
	}
	return p, nil
}

// importerOf resolves the imports of one package: in the standard library some are vendored.
type importerOf struct {
	c  *checker
	of *listed
}

func (i importerOf) Import(path string) (*types.Package, error) {
	if mapped, ok := i.of.ImportMap[path]; ok {
		path = mapped
	}
	p, err := i.c.Import(path)
	if err != nil || i.c.partial[path] {
		i.c.partial[i.of.ImportPath] = true
	}
	return p, err
}

// parse takes files of the module as they were parsed for the other rules.
func (c *checker) parse(l *listed) ([]*ast.File, error) {
	var files []*ast.File
	for _, name := range l.GoFiles {
		name = filepath.Join(l.Dir, name)
		f := c.module.parsed[name]
		if f == nil {
			var err error
			if f, err = parser.ParseFile(c.module.fset, name, nil, parser.SkipObjectResolution); err != nil {
				return nil, err
			}
		}
		files = append(files, f)
	}
	return files, nil
}

// add adds to the references those of one package.
func (c *checker) add(p *types.Package, info *types.Info) {
	for id, object := range info.Uses {
		if f, ok := object.(*types.Func); ok {
			object = f.Origin()
		}
		if object.Pkg() != p || !declared(object, p) {
			continue
		}
		from := c.module.fset.Position(id.Pos()).Filename
		to := c.module.fset.Position(object.Pos()).Filename
		if from != to {
			c.refs.add(from, to)
		}
	}
}

func (r references) add(from, to string) {
	if r[from] == nil {
		r[from] = map[string]bool{}
	}
	r[from][to] = true
}

// declared reports whether an object is a package-level declaration or a method of one.
func declared(object types.Object, in *types.Package) bool {
	if object.Parent() == in.Scope() {
		return true
	}
	f, ok := object.(*types.Func)
	return ok && f.Signature().Recv() != nil
}
