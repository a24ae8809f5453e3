package spec

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"metalconform/internal/budget"
	"metalconform/suite"
)

// A Limit bounds one evaluation: of a file, or of a definition at one point. Only [Case] bounds all those of a
// definition for one case: it is asked in trials, too, where its operations err, and near decisions.
type Limit int

const (
	Steps Limit = iota
	Operations
	Elements
	Held
	Bytes
	Case
	limits
)

// limitTable has what flags and manuals say of each limit. Definitions of the packs take 603 steps, 420,000 elements
// and 7,712 bytes at most; 1,024 tokens with a state of 128 × 128 make 50 million elements. Each limit is reached in
// about a second, that of a case, of which the packs for candle, MLX and mlx-native take an eightieth at most, in
// eight.
var limitTable = [limits]struct {
	name        string
	value, most int64
	of          string
}{
	Steps:      {"steps", 1 << 21, 1 << 40, "steps of Starlark"},
	Operations: {"operations", 1 << 28, 1 << 46, "operations on elements, each of about four nanoseconds"},
	Elements:   {"elements", 1 << 26, 1 << 44, "elements of the tensors that are made"},
	Held:       {"held", 1 << 24, 1 << 36, "elements of those that are in use at once"},
	Bytes: {"bytes", 1 << 26, 1 << 40,
		"bytes of strings, lists, dictionaries and small tensors that are made or gone through"},
	Case: {"case", 1 << 29, 1 << 50,
		"operations that all evaluations for one case take, with 16 for a step and one for an element"},
}

// Limits are values for limits, which are the usual ones where they are 0. Definitions keep a pointer to those that
// they were read with.
type Limits struct {
	values [limits]int64
	fixed  bool
	Budget *budget.Budget // of the run that reads the files; nil: it is not bounded
	large  sync.Mutex     // of the one evaluation at a time that holds much
}

// ofExpressions are the limits of extents and the like, which are short: nothing raises them.
var ofExpressions = Limits{fixed: true}

// of is the value of a limit.
func (l *Limits) of(x Limit) int64 {
	if l.values[x] > 0 {
		return l.values[x]
	}
	return limitTable[x].value
}

// exceeded says in a clause with a %d for the limit that there is more.
func (l *Limits) exceeded(x Limit, format string) error { return l.beyond(l.of(x), x, format) }

// beyond is exceeded for what may have so much.
func (l *Limits) beyond(most int64, x Limit, format string) error {
	if l.fixed {
		return excess(fmt.Sprintf(format, most))
	}
	return excess(fmt.Sprintf(format, most) + ", which -definition-limit " + limitTable[x].name + "=N can raise")
}

// excess is that an evaluation asks for more than it may.
type excess string

func (e excess) Error() string { return string(e) }

// mistake is what ends a case for an error of its definition.
func mistake(err error) any {
	var e excess
	if errors.As(err, &e) {
		return suite.Excess(err.Error())
	}
	return suite.Mistake(err.Error())
}

// Set sets the limit that text names, as NAME=N.
func (l *Limits) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	for x, row := range limitTable {
		if row.name != name {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 1 || n > row.most {
			return fmt.Errorf("want %s=N, with N from 1 to %d", name, row.most)
		}
		l.values[x] = n
		return nil
	}
	return fmt.Errorf("want NAME=N with one of these names and what it is unless set:\n%s",
		strings.TrimSuffix(limitLines(), "\n"))
}

// Type names the value in help.
func (*Limits) Type() string { return "limit" }

// String are the limits that were set, one after the other.
func (l *Limits) String() string {
	var set []string
	for x, n := range l.values {
		if n > 0 {
			set = append(set, fmt.Sprintf("%s=%d", limitTable[x].name, n))
		}
	}
	return strings.Join(set, " ")
}

// limitLines is a line for each limit: its name, what it is unless set, and what it bounds.
func limitLines() string {
	var b strings.Builder
	for _, row := range limitTable {
		fmt.Fprintf(&b, "%-10s %9d  %s\n", row.name, row.value, row.of)
	}
	return b.String()
}
