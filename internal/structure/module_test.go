package structure

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// module is the source of one Go module.
type module struct {
	root     string
	name     string
	fset     *token.FileSet
	parsed   map[string]*ast.File // by absolute name
	packages []*pkg               // by directory
	texts    []text               // Markdown and Metal outside testdata, relative to root
}

// text is one file of another language.
type text struct{ name, source string }

// pkg is one directory of Go files, of all platforms and build tags.
type pkg struct {
	dir   string // relative to the root of the module, with slashes
	files []*file
}

// file is one Go file.
type file struct {
	name      string // relative to the root of the module, with slashes
	source    []byte
	syntax    *ast.File
	test      bool
	generated bool
}

// loadModule reads and parses the module in a directory, once for all rules.
func loadModule(t *testing.T, root string) *module {
	t.Helper()
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	m := &module{root: root, name: moduleName(t, root), fset: token.NewFileSet(), parsed: map[string]*ast.File{}}
	byDir := map[string]*pkg{}
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == "testdata" || base != "." && strings.HasPrefix(base, ".") {
				return fs.SkipDir
			}
			return nil
		}
		switch path.Ext(name) {
		case ".md", ".metal":
			return m.read(name)
		case ".go":
			f, err := m.parse(name)
			if err != nil {
				return err
			}
			dir := path.Dir(name)
			if byDir[dir] == nil {
				byDir[dir] = &pkg{dir: dir}
				m.packages = append(m.packages, byDir[dir])
			}
			byDir[dir].files = append(byDir[dir].files, f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *module) parse(name string) (*file, error) {
	absolute := filepath.Join(m.root, name)
	source, err := os.ReadFile(absolute)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(m.fset, absolute, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	m.parsed[absolute] = syntax
	return &file{
		name:      name,
		source:    source,
		syntax:    syntax,
		test:      strings.HasSuffix(name, "_test.go"),
		generated: ast.IsGenerated(syntax),
	}, nil
}

// sources are the files of p that are no tests.
func (p *pkg) sources() []*file {
	var files []*file
	for _, f := range p.files {
		if !f.test {
			files = append(files, f)
		}
	}
	return files
}

// listed is what go list says about one package on one platform.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	Standard   bool
}

// files names a package with the files that it has on one platform.
func (l *listed) files() string { return l.ImportPath + " " + strings.Join(l.GoFiles, " ") }

// list asks the go command which files make up the packages of the module and everything that they import.
func list(root string, on platform) (map[string]*listed, error) {
	command := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Standard", "./...")
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+on.os, "GOARCH="+on.arch)
	output, err := command.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("go list for %s/%s: %w", on.os, on.arch, err)
	}
	packages := map[string]*listed{}
	for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
		l := &listed{}
		if err := decoder.Decode(l); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages[l.ImportPath] = l
	}
}
