package diagnostics

import (
	"strings"
	"unicode/utf8"
)

// document is the text of a file, in which any number of positions are found in little more than the time of one:
// strangers make a text long, and put a thousand errors at its end.
type document struct {
	text   string
	starts []int  // of its lines
	marks  []mark // every markDistance bytes or so
}

// mark is a place in a text with the characters before it.
type mark struct{ offset, characters int }

const markDistance = 1 << 12

// documents are the texts that positions refer to, by file.
type documents map[string]*document

// of is the document of a file, nil if source does not have it.
func (d documents) of(file string, source func(string) (string, bool)) *document {
	if d[file] == nil {
		if text, ok := source(file); ok {
			d[file] = &document{text: text}
		}
	}
	return d[file]
}

// line is a line without its end, and where it starts.
func (d *document) line(n int) (line string, start int, ok bool) {
	if d == nil {
		return "", 0, false
	}
	if d.starts == nil {
		d.starts = append(d.starts, 0)
		for at := 0; ; {
			i := strings.IndexByte(d.text[at:], '\n')
			if i < 0 {
				break
			}
			at += i + 1
			d.starts = append(d.starts, at)
		}
	}
	if n < 1 || n > len(d.starts) {
		return "", 0, false
	}
	start = d.starts[n-1]
	end := len(d.text)
	if n < len(d.starts) {
		end = d.starts[n]
	}
	return strings.TrimRight(d.text[start:end], "\r\n"), start, true
}

// characters counts those before an offset.
func (d *document) characters(offset int) int {
	if d.marks == nil {
		d.marks = append(d.marks, mark{})
		characters := 0
		for at := range d.text {
			if last := d.marks[len(d.marks)-1]; at-last.offset >= markDistance {
				d.marks = append(d.marks, mark{at, characters})
			}
			characters++
		}
	}
	i := min(offset/markDistance, len(d.marks)-1)
	for d.marks[i].offset > offset {
		i--
	}
	return d.marks[i].characters + utf8.RuneCountInString(d.text[d.marks[i].offset:offset])
}
