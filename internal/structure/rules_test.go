package structure

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// limits bound the size of what a reader has to hold in mind at once.
type limits struct {
	files   int // files of a package, without tests
	cycle   int // files of a package that all refer to each other
	fields  int // fields of a struct
	lines   int // lines of a function, with its signature
	columns int // columns of a line, where a tab takes tabWidth
}

// standard are the limits of this module.
var standard = limits{files: 60, cycle: 25, fields: 25, lines: 80, columns: 120}

const tabWidth = 4

// violation is one place that breaks a rule.
type violation struct {
	rule  string // as in the table of exceptions
	place string // a package, a file, or a package and a name in it
	size  int    // what the rule bounds, if it bounds a number
	text  string // what is wrong, as a sentence after the place
}

// violations are those of all rules, by package and file.
func (m *module) violations(refs references, most limits) []violation {
	var found []violation
	for _, p := range m.packages {
		found = append(found, p.tooManyFiles(most.files)...)
		found = append(found, m.cycles(p, refs, most.cycle)...)
		found = append(found, p.undocumented()...)
		for _, f := range p.sources() {
			found = append(found, f.wideStructs(most.fields)...)
			found = append(found, m.longFunctions(f, most.lines)...)
		}
		for _, f := range p.files {
			if !f.generated {
				found = append(found, longLines(f.name, m.measured(f), most.columns)...)
			}
		}
	}
	for _, text := range m.texts {
		found = append(found, longLines(text.name, text.source, most.columns)...)
		found = append(found, m.deadLinks(text)...)
	}
	return found
}

func (p *pkg) tooManyFiles(most int) []violation {
	n := len(p.sources())
	if n <= most {
		return nil
	}
	return []violation{{"files", p.dir, n, fmt.Sprintf("has %d files without tests, %d at most", n, most)}}
}

func (m *module) cycles(p *pkg, refs references, most int) []violation {
	var names []string
	for _, f := range p.sources() {
		names = append(names, filepath.Join(m.root, f.name))
	}
	var found []violation
	for _, cycle := range cycles(names, refs) {
		if n := len(cycle); n > most {
			text := fmt.Sprintf("has %d files that all refer to each other, %d at most: %s", n, most, baseNames(cycle))
			found = append(found, violation{"cycle", p.dir, n, text})
		}
	}
	return found
}

func baseNames(files []string) string {
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	return strings.Join(slices.Sorted(slices.Values(names)), " ")
}

// wideStructs counts an embedded field as one, and what an anonymous struct has as fields of that struct alone.
func (f *file) wideStructs(most int) []violation {
	var found []violation
	name := ""
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			name = n.Name.Name
		case *ast.FuncDecl:
			name = functionName(n)
		case *ast.StructType:
			if size := n.Fields.NumFields(); size > most {
				text := fmt.Sprintf("is a struct of %d fields, %d at most", size, most)
				found = append(found, violation{"fields", f.place(name), size, text})
			}
		}
		return true
	})
	return found
}

func (m *module) longFunctions(f *file, most int) []violation {
	var found []violation
	for _, d := range f.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || f.generated {
			continue
		}
		size := m.line(fn.End()) - m.line(fn.Pos()) + 1
		if size > most {
			text := fmt.Sprintf("is a function of %d lines, %d at most", size, most)
			found = append(found, violation{"lines", f.place(functionName(fn)), size, text})
		}
	}
	return found
}

func (m *module) line(p token.Pos) int { return m.fset.Position(p).Line }

// place names a declaration of f with its package.
func (f *file) place(name string) string {
	if dir := path.Dir(f.name); dir != "." {
		return dir + "." + name
	}
	return name
}

// functionName has the type in front of a method's name.
func functionName(fn *ast.FuncDecl) string {
	if receiver := receiverName(fn); receiver != "" {
		return receiver + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// receiverName is the type that a method belongs to, without its type parameters.
func receiverName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	name := ""
	ast.Inspect(fn.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

// longLines measures the lines of one file. A line is as long as it has to be if it holds an address, and in
// Markdown if it is a row of a table.
func longLines(name, source string, most int) []violation {
	widest, at := 0, 0
	for i, line := range strings.Split(source, "\n") {
		if address.MatchString(line) || path.Ext(name) == ".md" && strings.HasPrefix(strings.TrimSpace(line), "|") {
			continue
		}
		if w := width(line); w > max(most, widest) {
			widest, at = w, i+1
		}
	}
	if at == 0 {
		return nil
	}
	text := fmt.Sprintf("has %d columns in line %d, %d at most", widest, at, most)
	return []violation{{"columns", name, widest, text}}
}

// link is what a link or a picture of Markdown leads to, without the section of a page.
var link = regexp.MustCompile(`\]\(([^)#\s]+)`)

// deadLinks are links between files of the module that lead nowhere.
func (m *module) deadLinks(t text) []violation {
	if path.Ext(t.name) != ".md" {
		return nil
	}
	var found []violation
	for _, match := range link.FindAllStringSubmatch(t.source, -1) {
		if strings.Contains(match[1], ":") {
			continue // another site
		}
		if _, err := os.Stat(filepath.Join(m.root, path.Dir(t.name), match[1])); err != nil {
			found = append(found, violation{"links", t.name, 0, "has a link to " + match[1] + ", which is not there"})
		}
	}
	return found
}

// measured is the text of a file whose columns count. In a test the text between backquotes is input, as that in
// testdata is, and an example has the output of a program in a comment: both are as wide as they have to be.
func (m *module) measured(f *file) string {
	if !f.test {
		return string(f.source)
	}
	text := slices.Clone(f.source)
	remove := func(n ast.Node) {
		for i := m.fset.Position(n.Pos()).Offset; i < m.fset.Position(n.End()).Offset; i++ {
			if text[i] != '\n' {
				text[i] = 0
			}
		}
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Value[0] == '`' {
			remove(literal)
		}
		return true
	})
	for _, group := range f.syntax.Comments {
		if strings.Contains(group.Text(), "Output:") {
			remove(group)
		}
	}
	return string(bytes.ReplaceAll(text, []byte{0}, nil))
}

// address is one that cannot be broken.
var address = regexp.MustCompile(`https?://\S{40}`)

func width(line string) int {
	n := 0
	for _, r := range line {
		if n++; r == '\t' {
			n += tabWidth - 1
		}
	}
	return n
}

// undocumented are exported names without a comment, and a package without one. A group of constants or variables
// may share one, and the values of an enumeration have that of their type. A method that an interface of the package
// or of the standard library asks for has its meaning from there.
func (p *pkg) undocumented() []violation {
	var found []violation
	described := len(p.sources()) == 0
	known := append(p.interfaceMethods(), strings.Fields(standardMethods)...)
	for _, f := range p.sources() {
		described = described || f.syntax.Doc.Text() != ""
		for _, d := range f.syntax.Decls {
			for _, name := range undocumentedNames(d, known) {
				found = append(found, violation{"comments", f.place(name), 0, "is exported and has no comment"})
			}
		}
	}
	if !described {
		found = append(found, violation{"comments", p.dir, 0, "has no package comment"})
	}
	return found
}

// interfaceMethods are the methods that exported interfaces of the package list.
func (p *pkg) interfaceMethods() []string {
	var methods []string
	for _, f := range p.sources() {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() {
				return true
			}
			if i, ok := spec.Type.(*ast.InterfaceType); ok {
				for _, m := range i.Methods.List {
					for _, name := range m.Names {
						methods = append(methods, name.Name)
					}
				}
			}
			return false
		})
	}
	return methods
}

// undocumentedNames takes the names of methods that are described elsewhere.
func undocumentedNames(d ast.Decl, known []string) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		receiver := receiverName(d)
		if d.Doc != nil || !d.Name.IsExported() || receiver != "" && !ast.IsExported(receiver) {
			return nil
		}
		if receiver == "" || !slices.Contains(known, d.Name.Name) {
			return []string{functionName(d)}
		}
	case *ast.GenDecl:
		if d.Doc != nil || isEnumeration(d) {
			return nil
		}
		var names []string
		for _, spec := range d.Specs {
			names = append(names, undocumentedSpec(spec)...)
		}
		return names
	}
	return nil
}

// standardMethods are called by the standard library, which says what they do.
const standardMethods = "Error Is String Unwrap MarshalJSON MarshalText UnmarshalJSON UnmarshalText " +
	"Set Type Write Close"

// isEnumeration reports whether a declaration lists the values of a type.
func isEnumeration(d *ast.GenDecl) bool {
	return d.Tok == token.CONST && d.Lparen.IsValid() && d.Specs[0].(*ast.ValueSpec).Type != nil
}

func undocumentedSpec(spec ast.Spec) []string {
	var names []string
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Doc == nil && spec.Comment == nil && spec.Name.IsExported() {
			names = append(names, spec.Name.Name)
		}
	case *ast.ValueSpec:
		if spec.Doc != nil || spec.Comment != nil {
			return nil
		}
		for _, name := range spec.Names {
			if name.IsExported() {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// read adds a text that is not Go.
func (m *module) read(name string) error {
	source, err := os.ReadFile(filepath.Join(m.root, name))
	m.texts = append(m.texts, text{name, string(source)})
	return err
}
