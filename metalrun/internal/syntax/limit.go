package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// A Limit bounds one dimension of a source, where a [Budget] bounds the work of all of it: mostly how deep
// something nests, and so the stack of code that recurses over it.
type Limit int

const (
	Nesting Limit = iota
	Operators
	Includes
	Included
	Instances
	Depth
	Members
	ConstantSteps
	ConstantCalls
	Recursion
	limits
)

// limitTable has what flags and manuals say of each limit. most is as far as it was tried that a stack or the
// memory of a reader suffices.
var limitTable = [limits]struct {
	name        string
	value, most int
	of          string
}{
	Nesting: {"nesting", 200, 1000,
		"types, expressions, statements, namespaces, macro arguments and conditionals in each other"},
	Operators:     {"operators", 5000, 20_000, "operators in a row in one expression"},
	Includes:      {"includes", 64, 1000, "includes in includes"},
	Included:      {"included", 1 << 24, 1 << 30, "bytes of includes, each time that one is included"},
	Instances:     {"instances", 256, 1024, "instances of templates in each other"},
	Depth:         {"depth", 1 << 15, 1 << 17, "expressions in each other, with those of the functions that they call"},
	Members:       {"members", 4096, 1 << 16, "members of a type, with those of its members"},
	ConstantSteps: {"constant-steps", 1 << 20, 1 << 26, "steps of the evaluation of a constant"},
	ConstantCalls: {"constant-calls", 512, 4096, "calls in calls while a constant is evaluated"},
	Recursion: {"recursion", 256, 1 << 14,
		"calls in each other, while a kernel runs, of functions that call themselves"},
}

// Limits are values for limits, which are the usual ones where they are 0.
type Limits [limits]int

// Of is the value of a limit.
func (l *Limits) Of(x Limit) int {
	if l[x] > 0 {
		return l[x]
	}
	return limitTable[x].value
}

// Set sets the limit that text names, as NAME=N.
func (l *Limits) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	for x, row := range limitTable {
		if row.name != name {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > row.most {
			return fmt.Errorf("want %s=N, with N from 1 to %d", name, row.most)
		}
		l[x] = n
		return nil
	}
	return fmt.Errorf("want NAME=N with one of these names, what it is unless set, and the most that it can be:\n%s",
		strings.TrimSuffix(LimitTable(), "\n"))
}

// String are the limits that were set, one after the other.
func (l *Limits) String() string {
	var set []string
	for x, n := range l {
		if n > 0 {
			set = append(set, fmt.Sprintf("%s=%d", limitTable[x].name, n))
		}
	}
	return strings.Join(set, " ")
}

// Exceeded says of what is more than a limit allows, in a clause with a %d for that, what can be done.
func (l *Limits) Exceeded(x Limit, format string, args ...any) string {
	text := fmt.Sprintf(format, append(args, l.Of(x))...)
	row := limitTable[x]
	if l.Of(x) == row.most {
		return text + ", the most that -compile-limit " + row.name + "=N takes"
	}
	return text + ", which -compile-limit " + row.name + "=N can raise"
}

// LimitTable is a line for each limit: its name, what it is unless set, as much as it may be, and what it bounds.
func LimitTable() string {
	var b strings.Builder
	for _, row := range limitTable {
		fmt.Fprintf(&b, "%-15s %8d %10d  %s\n", row.name, row.value, row.most, row.of)
	}
	return b.String()
}
