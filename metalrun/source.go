package metalrun

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"metalconform/metalrun/internal/directive"
)

// Source is a translation unit: a main file and the files that its quoted
// includes can name.
type Source struct {
	Name  string            // the main file, a key of Files
	Files map[string]string // path to text
}

// SourceText is a Source of a single file.
func SourceText(name, text string) Source {
	return Source{Name: name, Files: map[string]string{name: text}}
}

// ReadSource reads the file called name and, through read, every file that its
// quoted includes lead to. Names are slash-separated and become the keys of
// Source.Files; an include is looked for beside the file that has it and then
// under its own name. One that does not exist is left for the front end to
// judge: it may stand in a group that the preprocessor skips.
func ReadSource(name string, read func(name string) ([]byte, error)) (Source, error) {
	text, err := read(name)
	if err != nil {
		return Source{}, err
	}
	src := SourceText(name, string(text))
	for todo := []string{name}; len(todo) > 0; todo = todo[1:] {
		for _, include := range quotedIncludes(src.Files[todo[0]]) {
			found, err := src.readInclude(todo[0], include, read)
			if err != nil {
				return Source{}, err
			}
			if found != "" {
				todo = append(todo, found)
			}
		}
	}
	return src, nil
}

// readInclude adds the file that an include in from means and returns its
// name, or "" if the source has it already or there is none.
func (s Source) readInclude(from, include string, read func(string) ([]byte, error)) (string, error) {
	for _, name := range []string{path.Join(path.Dir(from), include), path.Clean(include)} {
		if _, ok := s.Files[name]; ok {
			return "", nil
		}
		text, err := read(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			continue // ErrInvalid: a name outside of an fs.FS
		}
		if err != nil {
			return "", err
		}
		s.Files[name] = string(text)
		return name, nil
	}
	return "", nil
}

func quotedIncludes(text string) []string {
	var names []string
	var lines directive.Lines
	for line := range strings.Lines(text) {
		if name, _, ok := directive.Include(lines.Next(strings.TrimSuffix(line, "\n"))); ok {
			names = append(names, name)
		}
	}
	return names
}
