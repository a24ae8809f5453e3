package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// lines are the lines of a file's tables and keys. A table of an array has
// its number behind its name: waive[0], waive[0].factor, contract[1].sums.square.
type lines map[string]int

// linesOf finds the lines of a text that is well-formed.
func linesOf(text []byte) lines {
	lines := lines{}
	count := map[string]int{}
	table := ""
	r := lineReader{ends: lineEnds(text)}
	r.Reset(text)
	for r.NextExpression() {
		e := r.Expression()
		key, line := r.keyOf(e)
		name, rest, _ := strings.Cut(key, ".")
		switch e.Kind {
		case unstable.ArrayTable:
			table = fmt.Sprintf("%s[%d]", name, count[name])
			count[name]++
			lines[table] = line
		case unstable.Table:
			if table = key; count[name] > 0 {
				table = fmt.Sprintf("%s[%d].%s", name, count[name]-1, rest)
			}
			lines[table] = line
		case unstable.KeyValue:
			lines.note(&r, table, e)
		}
	}
	return lines
}

// note enters a key under its table, and those of a table that is its value.
func (l lines) note(r *lineReader, table string, e *unstable.Node) {
	key, line := r.keyOf(e)
	key = table + "." + key
	l[key] = line
	if e.Value().Kind != unstable.InlineTable {
		return
	}
	for it := e.Value().Children(); it.Next(); {
		l.note(r, key, it.Node())
	}
}

// lineReader reads expressions and knows their lines: the parser's own way to find one begins at the
// first each time.
type lineReader struct {
	unstable.Parser
	ends []int // offsets of line ends
}

func lineEnds(text []byte) (ends []int) {
	for i, c := range text {
		if c == '\n' {
			ends = append(ends, i)
		}
	}
	return ends
}

func (r *lineReader) lineAt(offset int) int {
	n, _ := slices.BinarySearch(r.ends, offset)
	return n + 1
}

// keyOf is the dotted key of an expression and its line.
func (r *lineReader) keyOf(e *unstable.Node) (key string, line int) {
	var parts []string
	for it := e.Key(); it.Next(); {
		if parts == nil {
			line = r.lineAt(int(it.Node().Raw.Offset))
		}
		parts = append(parts, string(it.Node().Data))
	}
	return strings.Join(parts, "."), line
}

// inLowerCase refuses keys of ours in another case: the decoder takes them for the same, so that of two that differ in
// case alone the last would count. The text is well-formed.
func inLowerCase(file string, text []byte) error {
	var tables map[string]any
	if err := toml.Unmarshal(text, &tables); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	lines := linesOf(text)
	var wrong []error
	ours := func(table string, keys map[string]any) {
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if key == strings.ToLower(key) {
				continue
			}
			array, _, _ := strings.Cut(table, "[") // which may be the value of a key
			line := cmp.Or(lines[table+"."+key], lines[key], lines[key+"[0]"], lines["."+array], 1)
			wrong = append(wrong, fmt.Errorf("%s:%d: unknown key %q: keys are in lower case", file, line, key))
		}
	}
	ours("", tables)
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		switch table := tables[name].(type) {
		case map[string]any:
			ours(name, table)
		case []any:
			for i, t := range table {
				if entry, ok := t.(map[string]any); ok {
					ours(fmt.Sprintf("%s[%d]", name, i), entry)
				}
			}
		}
	}
	return errors.Join(wrong...)
}
