package main

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// configLines are the lines of a file's tables and keys. A table of an array has
// its number behind its name: waive[0], waive[0].factor, contract[1].sums.square.
type configLines map[string]int

// linesOf finds the lines of a text that is well-formed.
func linesOf(text []byte) configLines {
	lines := configLines{}
	count := map[string]int{}
	table := ""
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		key, line := keyOf(&p, e)
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
			lines.note(&p, table, e)
		}
	}
	return lines
}

// note enters a key under its table, and those of a table that is its value.
func (l configLines) note(p *unstable.Parser, table string, e *unstable.Node) {
	key, line := keyOf(p, e)
	key = table + "." + key
	l[key] = line
	if e.Value().Kind != unstable.InlineTable {
		return
	}
	for it := e.Value().Children(); it.Next(); {
		l.note(p, key, it.Node())
	}
}

// keyOf is the dotted key of an expression and its line.
func keyOf(p *unstable.Parser, e *unstable.Node) (key string, line int) {
	var parts []string
	for it := e.Key(); it.Next(); {
		if parts == nil {
			line = p.Shape(it.Node().Raw).Start.Line
		}
		parts = append(parts, string(it.Node().Data))
	}
	return strings.Join(parts, "."), line
}
