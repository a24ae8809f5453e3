package gate

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metalconform/internal/git"
)

// Hunk is a part of a file that differs from what it was at a commit.
type Hunk struct {
	file    string // in the directory that is looked at
	line    int    // the first as it is now; of lines that are gone, the one that follows
	was, is []string
}

var hunkHead = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// hunksOf are what differs between former and present texts of files, in the order of their names. Of several lines
// that took the place of as many, each is a hunk. What the change says of its files in attributes does not count: git
// is given the texts alone.
func hunksOf(ctx context.Context, was, is map[string]string) ([]Hunk, error) {
	dir, err := os.MkdirTemp("", "conform-hunks-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] != is[name] {
			names = append(names, name)
		}
	}
	for side, texts := range map[string]map[string]string{"was": was, "is": is} {
		if err := os.Mkdir(filepath.Join(dir, side), 0o777); err != nil {
			return nil, err
		}
		for i, name := range names {
			if err := os.WriteFile(filepath.Join(dir, side, strconv.Itoa(i)), []byte(texts[name]), 0o666); err != nil {
				return nil, err
			}
		}
	}
	diff, err := git.Output(ctx, dir, "diff", "--no-index", "-U0", "--no-color", "--no-renames", "--no-ext-diff",
		"--no-textconv", "--text", "--no-prefix", "was", "is")
	if err != nil && diff == "" { // its status says whether anything differs
		return nil, err
	}
	list, err := parseHunks(diff, func(file string) (string, bool) {
		i, err := strconv.Atoi(path.Base(file))
		if err != nil || i < 0 || i >= len(names) {
			return "", false
		}
		return names[i], true
	})
	slices.SortStableFunc(list, func(a, b Hunk) int { return strings.Compare(a.file, b.file) })
	return list, err
}

// parseHunks reads a diff without context. within is a file's name in the directory.
func parseHunks(diff string, within func(string) (string, bool)) ([]Hunk, error) {
	var list []Hunk
	file := ""
	lines := strings.Split(strings.TrimSuffix(diff, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if name, ok := strings.CutPrefix(lines[i], "+++ "); ok {
			file, _ = within(strings.TrimSuffix(name, "\t"))
			continue
		}
		m := hunkHead.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		h := Hunk{file: file}
		var ok bool
		rest := lines[i+1:]
		if h.was, rest, ok = taken(rest, "-", m[1]); ok {
			h.is, rest, ok = taken(rest, "+", m[3])
		}
		if !ok {
			return nil, errors.New("git diff: " + lines[i] + " has other lines than it says")
		}
		line, err := strconv.ParseInt(m[2], 10, 32)
		if len(h.is) == 0 {
			line++
		}
		if err != nil || line < 1 {
			return nil, errors.New("git diff: " + lines[i] + " is at no line")
		}
		h.line = int(line)
		i = len(lines) - len(rest) - 1
		list = append(list, h.split()...)
	}
	return list, nil
}

// taken takes the lines of one side of a hunk: as many as its head says, 1 if nothing.
func taken(lines []string, mark, said string) (side, rest []string, ok bool) {
	n := 1
	if said != "" {
		n, _ = strconv.Atoi(said)
	}
	for range n {
		if len(lines) == 0 || !strings.HasPrefix(lines[0], mark) {
			return nil, nil, false
		}
		side, lines = append(side, lines[0][1:]), lines[1:]
	}
	if len(lines) > 0 && strings.HasPrefix(lines[0], `\`) { // no newline at the end of the file
		lines = lines[1:]
	}
	return side, lines, true
}

// split is one hunk for each line, where each took the place of another.
func (h Hunk) split() []Hunk {
	if len(h.was) != len(h.is) {
		return []Hunk{h}
	}
	var list []Hunk
	for i := range h.is {
		list = append(list, Hunk{h.file, h.line + i, h.was[i : i+1], h.is[i : i+1]})
	}
	return list
}

// undone are the texts of files without some of their hunks.
func undone(texts map[string]string, hunks []Hunk) map[string]string {
	changed := map[string]string{}
	for _, h := range slices.Backward(hunks) { // so that lines keep their numbers
		text, begun := changed[h.file]
		if !begun {
			text = texts[h.file]
		}
		lines := strings.Split(text, "\n")
		if h.line-1+len(h.is) > len(lines) {
			continue // the file has changed since
		}
		changed[h.file] = strings.Join(slices.Replace(lines, h.line-1, h.line-1+len(h.is), h.was...), "\n")
	}
	return changed
}

// linesIn are the numbers of the lines that differ now, by file. A line that is gone counts
// as the one that follows it.
func linesIn(hunks []Hunk) map[string][]int {
	lines := map[string][]int{}
	for _, h := range hunks {
		for i := range max(len(h.is), 1) {
			lines[h.file] = append(lines[h.file], h.line+i)
		}
	}
	return lines
}
