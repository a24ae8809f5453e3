package differential

import (
	"embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed cpp
var headers embed.FS

// write writes one file for all texts. One that is alone has no namespace around it, so
// that it can add to that of the library.
func (b *batch) write() error {
	var all, table strings.Builder
	all.WriteString("#include \"shim.h\"\n")
	for i, t := range b.texts {
		scope := ""
		if len(b.texts) > 1 {
			scope = fmt.Sprintf("p%d", i)
			fmt.Fprintf(&all, "namespace %s {\nusing namespace metal;\n", scope)
		}
		t.write(&all, fmt.Sprintf("p%d", i))
		for _, host := range slices.Sorted(maps.Keys(t.entries)) {
			t.entries[host].write(&all, scope)
		}
		if scope != "" {
			all.WriteString("\n}\n")
		}
	}
	for _, e := range b.entries {
		table.WriteString(e.row())
	}
	all.WriteString("#line 1 \"entries\"\nextern const witness_entry witness_entries[];\n" +
		"const witness_entry witness_entries[] = {\n" + table.String() + "{nullptr, nullptr}};\n")
	return os.WriteFile(filepath.Join(b.dir, "programs.cc"), []byte(all.String()), 0o666)
}

// unpack writes the header and the driver.
func (b *batch) unpack() error {
	files, err := headers.ReadDir("cpp")
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := headers.ReadFile("cpp/" + f.Name())
		if err == nil {
			err = os.WriteFile(filepath.Join(b.dir, f.Name()), text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes the entry, as a file of its own, if it is asked for.
func (e *entry) write(all *strings.Builder, scope string) {
	if e.number < 0 || e.refused != "" {
		return
	}
	if e.scope = scope; scope != "" {
		e.scope += "::"
	}
	fmt.Fprintf(all, "\n#line 1 \"entry%d\"\nstatic void entry%[1]d() { witness_enter(%s); }\n"+
		"static const witness_binding arguments%[1]d[] = {", e.number, e.name)
	for _, a := range e.arguments {
		fmt.Fprintf(all, "{%d, %s}, ", a.kind, a.index)
	}
	all.WriteString("{0, 0}};\n")
}

// row is the entry in the table of all.
func (e *entry) row() string {
	if e.refused != "" {
		return "{nullptr, nullptr},\n"
	}
	return fmt.Sprintf("{%sentry%d, %[1]sarguments%[2]d},\n", e.scope, e.number)
}

// build compiles what clang takes.
func (b *batch) build() error {
	if out, err := b.compile("programs.cc", "runtime.cc", "-o", "programs"); err != nil {
		return fmt.Errorf("clang: %w: %.2000s", err, out)
	}
	return nil
}
