package syntax

import "strings"

// Extent is the source that an error at pos is about: the operands of an operator, a
// whole expression that begins there, or one token. Text is that of the file, tree may
// be nil. It reports false if nothing stands there.
func Extent(tree *File, text string, pos Pos) (start, end Pos, ok bool) {
	lines := &fileLines{name: pos.File, lines: strings.SplitAfter(text, "\n")}
	n := lines.token(pos)
	if n == 0 {
		return Pos{}, Pos{}, false
	}
	start, end = pos, pos
	end.Col += int32(n)
	if tree == nil {
		return start, end, true
	}
	if x := exprAt(tree, pos); x != nil {
		from, to := lines.extent(x)
		if before(from, start) {
			start = from
		}
		if before(end, to) {
			end = to
		}
	}
	return start, end, true
}

// exprAt is the outermost expression with a position, nil if there is none. Calls stand
// for their function.
func exprAt(tree *File, pos Pos) Expr {
	var found Expr
	Inspect(tree, func(n Node) bool {
		if x, ok := n.(Expr); ok && found == nil && x.Pos() == pos {
			if _, call := x.(*CallExpr); !call {
				found = x
			}
		}
		return found == nil
	})
	return found
}

// fileLines is the text of one file.
type fileLines struct {
	name  string
	lines []string
}

// at is what is left of a line from a position on.
func (f *fileLines) at(pos Pos) string {
	if pos.File != f.name || int(pos.Line) > len(f.lines) || pos.Line < 1 {
		return ""
	}
	line := f.lines[pos.Line-1]
	if pos.Col < 1 || int(pos.Col) > len(line) {
		return ""
	}
	return strings.TrimRight(line[pos.Col-1:], "\r\n")
}

// token is the length of the token at a position, 0 if there is none.
func (f *fileLines) token(pos Pos) int {
	rest := f.at(pos)
	if rest == "" || rest[0] == ' ' || rest[0] == '\t' {
		return 0
	}
	first, ok := (&scanner{file: f.name, line: 1, report: func(*Error) {}, text: rest}).next()
	if !ok || first.Pos.Col != 1 {
		return 0
	}
	return max(min(len(first.Text), len(rest)), 1)
}

// extent is the text of an expression from its first to its last token, with the brackets that close after it.
func (f *fileLines) extent(x Expr) (start, end Pos) {
	start, end = x.Pos(), x.Pos()
	end.Col += int32(f.token(end))
	Inspect(x, func(n Node) bool {
		pos := n.Pos()
		if pos.File != f.name {
			return true
		}
		if before(pos, start) {
			start = pos
		}
		pos.Col += int32(f.token(n.Pos()))
		if before(end, pos) {
			end = pos
		}
		return true
	})
	if start.Line == end.Line {
		end.Col += int32(closers(f.at(start), int(end.Col-start.Col)))
	}
	return start, end
}

// closers is how many bytes after the first n close what they open, with what stands between.
func closers(line string, n int) int {
	depth := 0
	for i := range len(line) {
		if i >= n && depth <= 0 {
			return i - n
		}
		switch line[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ';':
			return 0
		}
		if i >= n && depth == 0 {
			return i + 1 - n
		}
	}
	return 0
}
