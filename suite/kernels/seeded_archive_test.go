package kernels

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"metalconform/metalrun"
	"metalconform/shaders"
	"metalconform/suite"
)

// archive is an archive of the fixtures: a kernel that is written otherwise than ours.
type archive struct {
	name   string // of the file, without its extension
	kernel string
	edits  []replacement
	whole  *txtar.File // nil if there are edits
}

func (a archive) title() string { return a.name }

// titled is an archive of any sort.
type titled interface{ title() string }

// replacement is one change of a shader.
type replacement struct{ file, before, after string }

// firstOfKind are the first archives of each kind; with -archives those whose names match.
func firstOfKind[A titled](archives []A, kind func(A) string) []A {
	if *chosen != "" {
		match := regexp.MustCompile(*chosen)
		return slices.DeleteFunc(archives, func(a A) bool { return !match.MatchString(a.title()) })
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(archives, func(a A) bool {
		k := kind(a)
		before := seen[k]
		seen[k] = true
		return before
	})
}

// readArchives reads the archives of a directory of the fixtures, in the order of
// their names. read takes one that is called name.
func readArchives(t testing.TB, from embed.FS, dir string, read func(name string, a *txtar.Archive) error) {
	t.Helper()
	paths, err := fs.Glob(from, dir+"/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in %s (%v)", dir, err)
	}
	for _, path := range paths {
		text, err := fs.ReadFile(from, path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(path, dir+"/"), ".txtar")
		if err := read(name, txtar.Parse(text)); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
}

// parse takes the files of the archive, and hands on the keys of its comment.
func (a *archive) parse(from *txtar.Archive, set func(key, value string) error) error {
	comment := strings.TrimSpace(string(from.Comment))
	cut := strings.LastIndex(comment, "\n\n")
	if cut < 0 {
		return errors.New("want sentences that say what is different, and a block of keys behind them")
	}
	for line := range strings.Lines(comment[cut+2:]) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if value == "" {
			return fmt.Errorf("%q has no value", key)
		}
		if err := set(key, value); err != nil {
			return fmt.Errorf("%s: %s: %w", key, value, err)
		}
	}
	return a.take(from.Files)
}

// once sets a field that a key has no second time.
func once(field *string, value string) error {
	if *field != "" {
		return errors.New("once too often")
	}
	*field = value
	return nil
}

// take takes the files of the archive two by two, or the one that it has.
func (a *archive) take(files []txtar.File) error {
	if len(files) == 1 && !strings.Contains(files[0].Name, " ") {
		a.whole = &files[0]
		return nil
	}
	if len(files) == 0 || len(files)%2 != 0 {
		return fmt.Errorf("%d files, want pairs of before and after, or one alone", len(files))
	}
	for pair := range slices.Chunk(files, 2) {
		file, ok := strings.CutSuffix(pair[0].Name, " before")
		if !ok || pair[1].Name != file+" after" {
			return fmt.Errorf("%q and %q, want FILE before and FILE after", pair[0].Name, pair[1].Name)
		}
		a.edits = append(a.edits, replacement{file, string(pair[0].Data), string(pair[1].Data)})
	}
	return nil
}

// sources are the file of the archive, or those of our shaders that it changes.
func (a *archive) sources() (map[string]string, error) {
	if a.whole != nil {
		return map[string]string{a.whole.Name: string(a.whole.Data)}, nil
	}
	out := map[string]string{}
	for _, e := range a.edits {
		source, ok := out[e.file]
		if !ok {
			text, err := fs.ReadFile(shaders.FS, e.file)
			if err != nil {
				return nil, err
			}
			source = string(text)
		}
		at, err := a.find(source, e.before)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.file, err)
		}
		out[e.file] = source[:at] + e.after + source[at+len(e.before):]
	}
	return out, nil
}

// find is the place of a text that occurs once in the kernel, or else once in the
// source.
func (a *archive) find(source, text string) (int, error) {
	first, last := 0, len(source)
	if at := strings.Index(source, "kernel void "+a.kernel+"("); at >= 0 {
		if end := strings.Index(source[at:], "\n}\n"); strings.Contains(source[at:at+end+3], text) {
			first, last = at, at+end+3
		}
	}
	if n := strings.Count(source[first:last], text); n != 1 {
		return 0, fmt.Errorf("it has %d times, want once:\n%s", n, text)
	}
	return first + strings.Index(source[first:], text), nil
}

// line is the place, FILE:LINE, of a text in the sources.
func (a *archive) line(sources map[string]string, text string) (string, error) {
	var places []string
	for file, source := range sources {
		if at, err := a.find(source, text); err == nil {
			places = append(places, fmt.Sprintf("%s:%d", file, 1+strings.Count(source[:at], "\n")))
		}
	}
	if len(places) != 1 {
		return "", fmt.Errorf("%d places have %q, want one", len(places), text)
	}
	return places[0], nil
}

// open reads the kernel, which has to compile.
func (a *archive) open(t testing.TB) (*suite.Shaders, map[string]string) {
	t.Helper()
	sources, err := a.sources()
	if err != nil {
		t.Fatalf("%s: %v", a.name, err)
	}
	s, err := openSources(sources)
	if err != nil {
		t.Fatalf("%s: %v", a.name, err)
	}
	if _, _, err := s.Find(a.kernel); err != nil {
		t.Fatalf("%s: %v", a.name, err)
	}
	return s, sources
}

// openSources reads the argument tables of the kernels in sources.
func openSources(sources map[string]string) (*suite.Shaders, error) {
	files := fstest.MapFS{}
	for name, text := range sources {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return suite.OpenShaders(files, metalrun.Analyse)
}
