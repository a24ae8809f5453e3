package metalrun

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxFlattened bounds a translation unit with all its includes, in bytes.
const maxFlattened = 16 << 20

// flattened is a translation unit as one text. Metal's run-time compiler has
// no include path, so quoted includes are inserted before it sees the source.
type flattened struct {
	text  string
	lines []Position // lines[i] is where line i+1 of text came from
}

// flatten inserts the quoted includes of src textually.
//
// Lines are copied whole, so that columns stay. A file with #pragma once, or
// one that is imported, is wrapped in a guard macro at each insertion, which is
// right under any #if. An
// include that names none of the files stays as it is: it may stand in a group
// that the preprocessor skips, and if not, the compiler says so.
func flatten(src Source) (flattened, error) {
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
	lines  []Position
}

var (
	quotedInclude = regexp.MustCompile(`^\s*#\s*(include|import)\s*"([^"]+)"\s*$`)
	pragmaOnce    = regexp.MustCompile(`^\s*#\s*pragma\s+once\s*$`)
)

func (f *flattener) insert(name string) error {
	f.stack = append(f.stack, name)
	defer func() { f.stack = f.stack[:len(f.stack)-1] }()

	lines := strings.Split(strings.TrimSuffix(f.files[name], "\n"), "\n")
	_, imported := f.guards[name]
	once := imported || hasPragmaOnce(lines)
	start := Position{File: name, Line: 1, Col: 1}
	if once {
		guard := f.guard(name)
		f.emit("#ifndef "+guard, start)
		f.emit("#define "+guard, start)
	}
	var s lineState
	for i, text := range lines {
		pos := Position{File: name, Line: i + 1, Col: 1}
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return Diagnostics{{pos, "encoding", "not UTF-8 text"}}
		}
		directive := s.directive(text)
		m := quotedInclude.FindStringSubmatch(directive)
		target, known := "", false
		if m != nil {
			target, known = f.resolve(name, m[2])
		}
		if known && m[1] == "import" {
			f.guard(target)
		}
		switch {
		case once && pragmaOnce.MatchString(directive):
			f.emit("", pos)
		case known:
			if err := f.include(target, pos); err != nil {
				return err
			}
		default:
			f.emit(text, pos)
		}
		if f.out.Len() > maxFlattened {
			return Diagnostics{{pos, "include-size", fmt.Sprintf("source exceeds %d MiB with its includes", maxFlattened>>20)}}
		}
	}
	if once {
		f.emit("#endif", Position{File: name, Line: len(lines), Col: 1})
	}
	return nil
}

// include inserts target at pos. A file that is being inserted already can
// come again only if it guards itself with #pragma once; its guard is defined
// there, so nothing of it would be seen.
func (f *flattener) include(target string, pos Position) error {
	for i, open := range f.stack {
		if open != target {
			continue
		}
		if _, once := f.guards[target]; once {
			f.emit("", pos)
			return nil
		}
		cycle := strings.Join(append(f.stack[i:len(f.stack):len(f.stack)], target), " -> ")
		return Diagnostics{{pos, "include-cycle", "include cycle " + cycle + ": give the file a #pragma once"}}
	}
	return f.insert(target)
}

// resolve finds the file that an include in from means: beside from, or by its
// name in the file set.
func (f *flattener) resolve(from, name string) (string, bool) {
	for _, candidate := range []string{path.Join(path.Dir(from), name), path.Clean(name), name} {
		if _, ok := f.files[candidate]; ok {
			return candidate, true
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

func (f *flattener) emit(text string, pos Position) {
	f.out.WriteString(text)
	f.out.WriteByte('\n')
	f.lines = append(f.lines, pos)
}

func hasPragmaOnce(lines []string) bool {
	var s lineState
	for _, text := range lines {
		if pragmaOnce.MatchString(s.directive(text)) {
			return true
		}
	}
	return false
}

// lineState is what one line of C leaves open for the next.
type lineState struct {
	block     bool // inside /* */
	comment   bool // inside a // comment that a backslash continues
	continued bool // the line before ended in a backslash
}

// directive returns text without its comments if a preprocessing directive
// can begin there, and "" if it continues a line or a comment.
func (s *lineState) directive(text string) string {
	text = strings.TrimSuffix(text, "\r")
	begins := !s.continued
	s.continued = strings.HasSuffix(text, `\`)
	if s.comment {
		s.comment = s.continued
		return ""
	}
	var out strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		two := text[i:min(i+2, len(text))]
		switch {
		case s.block:
			if two == "*/" {
				s.block = false
				out.WriteByte(' ')
				i++
			}
			continue
		case quote != 0:
			if c == '\\' && i+1 < len(text) {
				out.WriteByte(c)
				i++
				c = text[i]
			} else if c == quote {
				quote = 0
			}
		case two == "/*":
			s.block = true
			i++
			continue
		case two == "//":
			s.comment = s.continued
			i = len(text)
			continue
		case c == '"' || c == '\'':
			quote = c
		}
		out.WriteByte(c)
	}
	if !begins {
		return ""
	}
	return out.String()
}

// compilerError matches one error of Metal's run-time compiler, which calls
// the text that it was given program_source.
var compilerError = regexp.MustCompile(`(?m)^program_source:(\d+):(\d+): (?:fatal )?error: (.*?)\r?$`)

// diagnostics reads the errors out of the compiler's log and puts them where
// their lines came from. It returns nil if the log has none in this source.
func (f flattened) diagnostics(log string) Diagnostics {
	var list Diagnostics
	for _, m := range compilerError.FindAllStringSubmatch(log, -1) {
		line, _ := strconv.Atoi(m[1])
		col, _ := strconv.Atoi(m[2])
		if line < 1 || line > len(f.lines) {
			continue
		}
		pos := f.lines[line-1]
		pos.Col = col
		list = append(list, Diagnostic{pos, "metal", m[3]})
	}
	return list
}
