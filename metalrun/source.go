package metalrun

import (
	"errors"
	"io/fs"
	"strings"

	"metalconform/metalrun/internal/air"
	"metalconform/metalrun/internal/directive"
	"metalconform/metalrun/internal/syntax"
)

// Source is a translation unit: a main file, the files that its includes can name,
// and what a host puts round it.
type Source struct {
	Name   string            // the main file, a key of Files
	Files  map[string]string // path to text
	Dirs   []string          // where includes are looked up that do not stand next to the file that has them
	Before string            // text ahead of the main file: definitions, further includes
	After  string            // text after it: explicit instantiations

	listing func(file string) (string, bool) // of a compiled library: what positions in it refer to
}

// SourceText is a Source of a single file.
func SourceText(name, text string) Source {
	return Source{Name: name, Files: map[string]string{name: text}}
}

// Text is the text that positions in file refer to: a file, or the text that the host puts before or after the main
// file.
func (s Source) Text(file string) (text string, ok bool) {
	switch file {
	case syntax.BeforeName:
		return s.Before, s.Before != ""
	case syntax.AfterName:
		return s.After, s.After != ""
	}
	if s.listing != nil {
		if text, ok := s.listing(file); ok {
			return text, true
		}
	}
	if text, ok = s.Files[file]; air.Is(text) {
		return "", false
	}
	return text, ok
}

// Read returns the source with its main file and every file that is included, read through read. Names are
// slash-separated and become the keys of Files; an include is looked for next to the file that has it, then in Dirs and
// under its own name. One that does not exist is left for the front end to judge: it may stand in a group that the
// preprocessor skips.
func (s Source) Read(read func(name string) ([]byte, error)) (Source, error) {
	text, err := read(s.Name)
	if err != nil {
		return Source{}, err
	}
	s.Files = map[string]string{s.Name: string(text)}
	if air.Is(s.Files[s.Name]) {
		return s, nil
	}
	type includer struct{ name, text string }
	todo := []includer{{"", s.Before}, {s.Name, string(text)}}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, include := range includes(todo[0].text) {
			found, err := s.readInclude(todo[0].name, include, read)
			if err != nil {
				return Source{}, err
			}
			for _, name := range found {
				todo = append(todo, includer{name, s.Files[name]})
			}
		}
	}
	return s, nil
}

// readInclude adds the files that an include in from may mean, in quotes or in angle brackets, and returns the names of
// those that the source does not have yet. After the first one an error says that there is no other.
func (s Source) readInclude(from, include string, read func(string) ([]byte, error)) (names []string, err error) {
	some := false
	for _, name := range syntax.IncludePaths(from, include, s.Dirs) {
		if _, ok := s.Files[name]; ok {
			some = true
			continue
		}
		text, err := read(name)
		switch {
		case some && err != nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
			continue // ErrInvalid: a name outside of an fs.FS
		case err != nil:
			return nil, err
		}
		s.Files[name], some = string(text), true
		names = append(names, name)
	}
	return names, nil
}

// Reachable are the files that the source may be made of, whatever macros and conditions say: those that directives and
// questions name. Where a macro stands for the name it may be any file.
func (s Source) Reachable() map[string]string {
	reached := map[string]string{}
	type namer struct{ name, text string }
	todo := []namer{{"", s.Before}, {"", s.After}}
	reach := func(name string) {
		if text, ok := s.Files[name]; ok {
			if _, again := reached[name]; !again {
				reached[name] = text
				todo = append(todo, namer{name, text})
			}
		}
	}
	reach(s.Name)
	if air.Is(s.Files[s.Name]) {
		return reached
	}
	for ; len(todo) > 0; todo = todo[1:] {
		names, computed := syntax.Named(todo[0].name, todo[0].text)
		if computed {
			return s.Files
		}
		for _, name := range names {
			for _, at := range syntax.IncludePaths(todo[0].name, name, s.Dirs) {
				reach(at)
			}
		}
	}
	return reached
}

func includes(text string) []string {
	var names []string
	var lines directive.Lines
	for line := range strings.Lines(text) {
		if name, _, ok := directive.Include(lines.Next(strings.TrimSuffix(line, "\n"))); ok {
			names = append(names, name)
		}
	}
	return names
}
