package html

import (
	"cmp"
	"fmt"
	"html/template"
	"iter"
	"path"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/suite"
)

// mark is what was found at a line of a shader, and in how many cases.
type mark struct {
	Check  string
	Does   string
	Other  *party // nil if there is none
	Kernel string
	Page   string // of the first case
	Cases  int
}

// party is a position in a shader, for a link.
type party struct {
	Text, Page, Does, Who string
}

// sourceLine is a line of a shader.
type sourceLine struct {
	Number int
	ID     string // its anchor; empty where the page shows it elsewhere, too
	Code   template.HTML
	Marks  []mark
	Hit    bool // something was found here
	Heat   *heat
	Cost   *heat // of a page with a forecast: the line's part of the time
}

// heat is a line's part of an error or of a time.
type heat struct {
	Share int    // percent, of what any device may be off by or of a time
	Title string // of what
	Most  string // the resource that a larger part of a time is of
}

// heats are the parts of lines in the errors of the elements that were blamed, by file and line; the
// largest part of each. With a kernel they are those of its cases alone.
func (s *site) heats(kernel string) map[string]map[int]*heat {
	all := map[string]map[int]*heat{}
	for i := range s.Results {
		r := &s.Results[i]
		if r.Blame == nil || kernel != "" && r.Kernel != kernel {
			continue
		}
		for _, l := range r.Blame.Lines {
			h := &heat{Share: int(100*l.Share + 0.5)}
			h.Title = fmt.Sprintf("%d %% of what %s of %s may be off by", h.Share,
				suite.Element{Arg: r.Blame.Output, Index: r.Blame.Index}, r.Case)
			if l.Lost >= 1 {
				h.Title += fmt.Sprintf("; cancels %.0f bits", l.Lost)
			}
			if all[l.File] == nil {
				all[l.File] = map[int]*heat{}
			}
			if known := all[l.File][l.Line]; known == nil || known.Share < h.Share {
				all[l.File][l.Line] = h
			}
		}
	}
	return all
}

// marks are all findings by file and line, those of one kind at one line together.
func (s *site) marks() map[string]map[int][]mark {
	all := map[string]map[int][]mark{}
	note := func(at *metalrun.Party, other *metalrun.Party, index int, check suite.Check) {
		if at == nil || at.Does == "declaration" {
			return
		}
		if all[at.File] == nil {
			all[at.File] = map[int][]mark{}
		}
		m := mark{Check: string(check), Does: at.Does, Other: s.party(other), Kernel: s.Results[index].Kernel,
			Page: s.casePage(index), Cases: 1}
		list := all[at.File][at.Line]
		i := slices.IndexFunc(list, func(x mark) bool {
			return x.Check == m.Check && x.Does == m.Does && x.Kernel == m.Kernel &&
				(x.Other == nil) == (m.Other == nil) && (x.Other == nil || x.Other.Text == m.Other.Text)
		})
		if i >= 0 {
			list[i].Cases++
			return
		}
		all[at.File][at.Line] = append(list, m)
	}
	for i, r := range s.Results {
		for _, f := range r.Failures {
			note(f.At, f.Other, i, f.Check)
			note(f.Other, f.At, i, f.Check)
		}
	}
	return all
}

// party is a link to one; nil for none.
func (s *site) party(p *metalrun.Party) *party {
	if p == nil {
		return nil
	}
	q := &party{Text: fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col), Page: s.lineAnchor(p.File, p.Line), Does: p.Does}
	if p.Does != "declaration" {
		q.Who = fmt.Sprintf("thread (%d, %d, %d) of threadgroup (%d, %d, %d)", p.Thread[0], p.Thread[1], p.Thread[2],
			p.Threadgroup[0], p.Threadgroup[1], p.Threadgroup[2])
	}
	return q
}

// lineAnchor is where a line of a shader is shown; empty if the file is not known
// or has no such line.
func (s *site) lineAnchor(file string, line int) string {
	page, ok := s.names.source[file]
	if !ok || line < 1 || line > len(s.lines(file)) {
		return ""
	}
	return fmt.Sprintf("%s#L%d", page, line)
}

// lines are those of a shader.
func (s *site) lines(file string) []string {
	text := strings.TrimSuffix(s.Shaders[file].Text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// source is an excerpt of a shader, lines first to last of it. Its lines have
// anchors if it is the only one of its page.
func (s *site) source(file string, first, last int, anchors bool) []sourceLine {
	all := s.lines(file)
	first, last = max(first, 1), min(last, len(all))
	var list []sourceLine
	if first > last {
		return nil
	}
	painted := paint(all)
	for n := first; n <= last; n++ {
		l := sourceLine{Number: n, Code: painted[n-1], Hit: len(s.findings[file][n]) > 0, Heat: s.heat[file][n]}
		if l.Heat == nil && s.heat[file] != nil {
			l.Heat = &heat{}
		}
		if anchors {
			l.ID, l.Marks = fmt.Sprintf("L%d", n), s.findings[file][n]
		}
		list = append(list, l)
	}
	return list
}

// elsewhere are the functions outside the lines of a file that a page shows which have a part in the errors
// of a kernel, or in its time: what it calls, and all stages of a pipeline. Lines that the page shows get their parts.
func (s *site) elsewhere(file string, shown []sourceLine, heats, costs map[string]map[int]*heat) (list []excerptOf) {
	warm := func(file string, lines []sourceLine) {
		for i := range lines {
			lines[i].Heat, lines[i].Cost = partOf(heats, file, lines[i].Number), partOf(costs, file, lines[i].Number)
		}
	}
	warm(file, shown)
	for name, numbers := range linesWithParts(heats, costs) {
		last := 0
		for _, at := range numbers {
			if at <= last ||
				name == file && len(shown) > 0 && at >= shown[0].Number && at <= shown[len(shown)-1].Number {
				continue
			}
			var first int
			first, last = function(s.lines(name), at)
			if lines := s.source(name, first, last, false); lines != nil {
				warm(name, lines)
				list = append(list,
					excerptOf{link{Text: fmt.Sprintf("%s:%d", path.Join(s.Root, name), first),
						To: s.lineAnchor(name, first)}, lines})
			}
		}
	}
	return list
}

// partOf is a line's part, which is empty if only others have one; nil if there are none at all.
func partOf(parts map[string]map[int]*heat, file string, line int) *heat {
	if len(parts) == 0 {
		return nil
	}
	if h := parts[file][line]; h != nil {
		return h
	}
	return &heat{}
}

// linesWithParts are the lines that have a part in something, in order by files.
func linesWithParts(all ...map[string]map[int]*heat) iter.Seq2[string, []int] {
	lines := map[string][]int{}
	for _, parts := range all {
		for file, list := range parts {
			for line, h := range list {
				if h.Share > 0 {
					lines[file] = append(lines[file], line)
				}
			}
		}
	}
	return func(yield func(string, []int) bool) {
		for _, file := range sorted(lines) {
			slices.Sort(lines[file])
			if !yield(file, lines[file]) {
				return
			}
		}
	}
}

// excerptOf is some lines of a shader.
type excerptOf struct {
	link
	Lines []sourceLine
}

// function are the first and the last line of the function that a line is in, with the comment in front
// of it: lines of its body are indented.
func function(lines []string, at int) (first, last int) {
	if at < 1 || at > len(lines) {
		return 1, 0
	}
	within := func(line string) bool { return line == "" || strings.ContainsAny(line[:1], " \t{)#") }
	for first = at; first > 1 && within(lines[first-1]); first-- {
	}
	first, _ = entryPoint(lines, first)
	for last = at; last < len(lines) && !strings.HasPrefix(lines[last-1], "}"); last++ {
	}
	return first, last
}

// entryPoint are the first and the last line of the function whose name is at a
// line, with the comment in front of it.
func entryPoint(lines []string, at int) (first, last int) {
	if at < 1 || at > len(lines) {
		return 1, 0
	}
	first = at
	for first > 1 && strings.TrimSpace(lines[first-2]) != "" && !strings.HasPrefix(lines[first-2], "}") {
		first--
	}
	for last = at; last < len(lines) && !strings.HasPrefix(lines[last-1], "}"); last++ {
	}
	return first, last
}

// sourceBody is the page of a shader.
type sourceBody struct {
	File, SHA256 string
	Lines        []sourceLine
	Kernels      []link
	Findings     []link // lines at which something was found
}

func (s *site) sourcePages(w writer) error {
	for _, file := range sorted(s.Shaders) {
		if err := s.apart(s.names.source[file], func() error { return s.writeSource(w, file) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *site) writeSource(w writer, file string) error {
	b := sourceBody{File: path.Join(s.Root, file), SHA256: s.Shaders[file].SHA256,
		Lines: s.source(file, 1, len(s.lines(file)), true)}
	for _, row := range s.shown {
		if s.kernels[row.Kernel].File == file {
			b.Kernels = append(b.Kernels, link{Text: row.Kernel, To: s.names.kernel[row.Kernel]})
		}
	}
	for _, l := range b.Lines {
		if l.Hit {
			b.Findings = append(b.Findings, link{Text: fmt.Sprintf("line %d: %s", l.Number, l.Marks[0].Check),
				To: s.lineAnchor(file, l.Number)})
		}
	}
	slices.SortFunc(b.Kernels, func(a, b link) int { return cmp.Compare(a.Text, b.Text) })
	return s.render(w, s.names.source[file], "source", file, nil, b)
}
