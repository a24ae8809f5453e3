package metal

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/directive"
)

// maxFlattened bounds a translation unit with all its includes, in bytes.
const maxFlattened = 16 << 20

// flattened is a translation unit as one text. Metal's run-time compiler has
// no include path, so quoted includes are inserted before it sees the source.
type flattened struct {
	text  string
	lines []metalrun.Position // lines[i] is where line i+1 of text came from
}

// flatten inserts the quoted includes of src textually.
//
// Lines are copied whole, so columns stay the same. A file that has #pragma once or
// is imported gets a guard macro around each insertion, which is right under any
// #if. An include that names none of the files is left alone: the preprocessor may
// skip it, and if not, the compiler reports it.
func flatten(src metalrun.Source) (flattened, error) {
	f := flattener{files: src.Files, guards: map[string]string{}}
	if _, ok := src.Files[src.Name]; !ok {
		return flattened{}, fmt.Errorf("source has no file %q", src.Name)
	}
	if err := f.insert(src.Name); err != nil {
		return flattened{}, err
	}
	return flattened{f.out.String(), f.lines}, nil
}

type flattener struct {
	files  map[string]string
	guards map[string]string // guard macro of each file with #pragma once, or imported
	stack  []string          // files being inserted, outermost first
	out    strings.Builder
	lines  []metalrun.Position
}

func (f *flattener) insert(name string) error {
	f.stack = append(f.stack, name)
	defer func() { f.stack = f.stack[:len(f.stack)-1] }()

	lines := strings.Split(strings.TrimSuffix(f.files[name], "\n"), "\n")
	_, imported := f.guards[name]
	once := imported || hasPragmaOnce(lines)
	start := metalrun.Position{File: name, Line: 1, Col: 1}
	if once {
		guard := f.guard(name)
		f.emit("#ifndef "+guard, start)
		f.emit("#define "+guard, start)
	}
	var state directive.Lines
	for i, text := range lines {
		pos := metalrun.Position{File: name, Line: i + 1, Col: 1}
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return metalrun.Diagnostics{{Position: pos, Code: "encoding", Message: "not UTF-8 text"}}
		}
		line := state.Next(text)
		target, known := "", false
		include, imported, ok := directive.Include(line)
		if ok {
			target, known = f.resolve(name, include)
		}
		if known && imported {
			f.guard(target)
		}
		switch {
		case once && directive.IsPragmaOnce(line):
			f.emit("", pos)
		case known:
			if err := f.include(target, pos); err != nil {
				return err
			}
		default:
			f.emit(text, pos)
		}
		if f.out.Len() > maxFlattened {
			return metalrun.Diagnostics{{Position: pos, Code: "include-size", Message: fmt.Sprintf("source exceeds %d MiB with its includes", maxFlattened>>20)}}
		}
	}
	if once {
		f.emit("#endif", metalrun.Position{File: name, Line: len(lines), Col: 1})
	}
	return nil
}

// include inserts target at pos. A file that is being inserted already can
// come again only if it guards itself with #pragma once; its guard is defined
// there, so nothing of it would be seen.
func (f *flattener) include(target string, pos metalrun.Position) error {
	for i, open := range f.stack {
		if open != target {
			continue
		}
		if _, once := f.guards[target]; once {
			f.emit("", pos)
			return nil
		}
		cycle := strings.Join(append(f.stack[i:len(f.stack):len(f.stack)], target), " -> ")
		return metalrun.Diagnostics{{Position: pos, Code: "include-cycle", Message: "include cycle " + cycle + ": give the file a #pragma once"}}
	}
	return f.insert(target)
}

// resolve finds the file that an include in from means: beside from, or by its
// name in the file set.
func (f *flattener) resolve(from, name string) (string, bool) {
	for _, file := range []string{path.Join(path.Dir(from), name), path.Clean(name), name} {
		if _, ok := f.files[file]; ok {
			return file, true
		}
	}
	return "", false
}

func (f *flattener) guard(name string) string {
	if f.guards[name] == "" {
		f.guards[name] = "conform_once_" + strconv.Itoa(len(f.guards))
	}
	return f.guards[name]
}

func (f *flattener) emit(text string, pos metalrun.Position) {
	f.out.WriteString(text)
	f.out.WriteByte('\n')
	f.lines = append(f.lines, pos)
}

func hasPragmaOnce(lines []string) bool {
	var state directive.Lines
	for _, text := range lines {
		if directive.IsPragmaOnce(state.Next(text)) {
			return true
		}
	}
	return false
}

// compilerError matches one error of Metal's run-time compiler, which calls
// the text that it was given program_source.
var compilerError = regexp.MustCompile(`(?m)^program_source:(\d+):(\d+): (?:fatal )?error: (.*?)\r?$`)

// diagnostics are the errors in the compiler's log, at the positions that their
// lines came from; nil if there are none in this source.
func (f flattened) diagnostics(log string) metalrun.Diagnostics {
	var list metalrun.Diagnostics
	for _, m := range compilerError.FindAllStringSubmatch(log, -1) {
		line, _ := strconv.Atoi(m[1])
		col, _ := strconv.Atoi(m[2])
		if line < 1 || line > len(f.lines) {
			continue
		}
		pos := f.lines[line-1]
		pos.Col = col
		list = append(list, metalrun.Diagnostic{Position: pos, Code: "metal", Message: m[3]})
	}
	return list
}
