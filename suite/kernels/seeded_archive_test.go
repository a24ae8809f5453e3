package kernels

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"metalconform/fixtures"
	"metalconform/metalrun"
	"metalconform/shaders"
	"metalconform/suite"
)

// seededArchive is an archive of fixtures.Faults, which says what its fields are.
type seededArchive struct {
	name   string // of the file, without its extension
	hazard string
	kernel string
	cases  []suite.Case
	check  suite.Check
	note   string
	at     string
	others []string
	only   bool
	edits  []replacement
}

// replacement is one change of a shader.
type replacement struct{ file, before, after string }

// seededArchives are all archives, in the order of their names.
func seededArchives(t testing.TB) []seededArchive {
	t.Helper()
	names, err := fs.Glob(fixtures.Faults, "faults/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives of faults (%v)", err)
	}
	cases := map[string]suite.Case{}
	for _, c := range quickCases() {
		cases[c.Name] = c
	}
	var all []seededArchive
	for _, name := range names {
		text, err := fs.ReadFile(fixtures.Faults, name)
		if err != nil {
			t.Fatal(err)
		}
		a := seededArchive{name: strings.TrimSuffix(strings.TrimPrefix(name, "faults/"), ".txtar")}
		if err := a.parse(txtar.Parse(text), cases); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, a)
	}
	return all
}

// parse reads an archive, whose cases have to be among those given.
func (a *seededArchive) parse(archive *txtar.Archive, cases map[string]suite.Case) error {
	comment := strings.TrimSpace(string(archive.Comment))
	cut := strings.LastIndex(comment, "\n\n")
	if cut < 0 {
		return errors.New("want sentences that say what is wrong, and a block of keys behind them")
	}
	for line := range strings.Lines(comment[cut+2:]) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		if err := a.set(key, value, cases); err != nil {
			return err
		}
	}
	if a.hazard == "" || a.kernel == "" || len(a.cases) == 0 || (a.check == "") == (a.note == "") {
		return errors.New("want hazard, kernel, case, and one of check and note")
	}
	return a.pair(archive.Files)
}

func (a *seededArchive) set(key, value string, cases map[string]suite.Case) error {
	text := map[string]*string{
		"hazard": &a.hazard, "kernel": &a.kernel, "check": (*string)(&a.check), "note": &a.note, "at": &a.at,
	}
	switch field := text[key]; {
	case value == "":
		return fmt.Errorf("%q has no value", key)
	case field != nil && *field == "":
		*field = value
	case key == "other":
		a.others = append(a.others, value)
	case key == "only" && value == "yes":
		a.only = true
	case key == "case":
		c, ok := cases[value]
		if !ok {
			return fmt.Errorf("the quick sweep has no case %s", value)
		}
		a.cases = append(a.cases, c)
	default:
		return fmt.Errorf("%s: %s: no such key, or once too often", key, value)
	}
	return nil
}

// pair takes the files of the archive two by two.
func (a *seededArchive) pair(files []txtar.File) error {
	if len(files) == 0 || len(files)%2 != 0 {
		return fmt.Errorf("%d files, want pairs of before and after", len(files))
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

// sources are those of our shaders that the fault changes, with the fault.
func (a *seededArchive) sources() (map[string]string, error) {
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
func (a *seededArchive) find(source, text string) (int, error) {
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
func (a *seededArchive) line(sources map[string]string, text string) (string, error) {
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

// openSources reads the argument tables of the kernels in sources.
func openSources(sources map[string]string) (*suite.Shaders, error) {
	files := fstest.MapFS{}
	for name, text := range sources {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return suite.OpenShaders(files, metalrun.Analyse)
}
