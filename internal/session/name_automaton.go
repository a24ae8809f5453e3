package session

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"metalconform/suite"
)

// nameAutomaton says whether a regular expression may match names that are not known in full: templates with
// wildcards for the sizes of a case and for the rest of its name. Listing the cases of a kernel costs milliseconds, and
// a pack has thousands of kernels.
//
// It is the deterministic automaton of the expression, made state by state. A state is the set of instructions that
// threads wait at, and the rune before, on which empty matches such as \b depend. A thread begins at each position.
type nameAutomaton struct {
	program *syntax.Prog
	states  map[string]*nameState
	begin   *nameState

	head   string // of the last template
	behind []*nameState
}

// nameState is what is known after the beginning of a name.
type nameState struct {
	waits  []uint32 // instructions at which threads are, before empty matches
	last   rune     // -1 at the beginning
	found  bool     // the expression has matched
	next   map[rune]*nameState
	digits []*nameState // after one or more digits
}

// anySize is [suite.AnySize].
const anySize = '\x00'

// mostNameStates bounds the automaton: one that has more begins again.
const mostNameStates = 10000

// newNameAutomaton is that of a regular expression that is known to compile.
func newNameAutomaton(text string) *nameAutomaton {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		panic(err)
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		panic(err)
	}
	a := &nameAutomaton{program: program, states: map[string]*nameState{}}
	a.begin = a.state(nil, -1, false)
	a.behind = []*nameState{a.begin}
	return a
}

// state is the one state of its kind.
func (a *nameAutomaton) state(waits []uint32, last rune, found bool) *nameState {
	if found {
		waits, last = nil, 0
	}
	key := fmt.Sprint(waits, last, found)
	s := a.states[key]
	if s == nil {
		if len(a.states) == mostNameStates {
			clear(a.states)
			a.begin.next, a.begin.digits = map[rune]*nameState{}, nil
		}
		s = &nameState{waits: waits, last: last, found: found, next: map[rune]*nameState{}}
		a.states[key] = s
	}
	return s
}

// reach are the instructions that consume a rune, and whether the expression matches, where threads wait at some
// instructions and one begins, if these empty matches are possible.
func (a *nameAutomaton) reach(waits []uint32, flags syntax.EmptyOp) (list []uint32, matched bool) {
	seen := map[uint32]bool{}
	var visit func(pc uint32)
	visit = func(pc uint32) {
		if seen[pc] {
			return
		}
		seen[pc] = true
		switch i := a.program.Inst[pc]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			visit(i.Out)
			visit(i.Arg)
		case syntax.InstCapture, syntax.InstNop:
			visit(i.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^flags == 0 {
				visit(i.Out)
			}
		case syntax.InstMatch:
			matched = true
		case syntax.InstFail:
		default:
			list = append(list, pc)
		}
	}
	for _, pc := range waits {
		visit(pc)
	}
	visit(uint32(a.program.Start))
	return list, matched
}

// step is the state after one more rune.
func (a *nameAutomaton) step(s *nameState, r rune) *nameState {
	if s.found {
		return s
	}
	if n := s.next[r]; n != nil {
		return n
	}
	list, matched := a.reach(s.waits, syntax.EmptyOpContext(s.last, r))
	var waits []uint32
	for _, pc := range list {
		if i := &a.program.Inst[pc]; i.MatchRune(r) && !slices.Contains(waits, i.Out) {
			waits = append(waits, i.Out)
		}
	}
	slices.Sort(waits)
	n := a.state(waits, r, matched)
	s.next[r] = n
	return n
}

// afterDigits are the states after one or more digits.
func (a *nameAutomaton) afterDigits(s *nameState) []*nameState {
	if s.digits != nil {
		return s.digits
	}
	list := []*nameState{s}
	for i := 0; i < len(list); i++ {
		for r := '0'; r <= '9'; r++ {
			if n := a.step(list[i], r); !slices.Contains(list[1:], n) {
				list = append(list, n)
			}
		}
	}
	s.digits = list[1:]
	return s.digits
}

// open reports whether the expression may match if any text follows.
func (a *nameAutomaton) open(s *nameState) bool {
	possible := ^syntax.EmptyBeginText
	if s.last < 0 {
		possible = ^syntax.EmptyOp(0)
	}
	list, matched := a.reach(s.waits, possible)
	return s.found || matched || len(list) > 0
}

// may reports whether the expression may match a name of a template.
func (a *nameAutomaton) may(template string) bool {
	head, tail := "", template
	if i := strings.LastIndexByte(template, '/'); i >= 0 { // many names of a kernel begin alike
		head, tail = template[:i], template[i:]
	}
	if head != a.head {
		a.head, a.behind = head, a.after([]*nameState{a.begin}, head)
	}
	states := a.after(a.behind, strings.TrimSuffix(tail, suite.AnyText))
	if strings.HasSuffix(tail, suite.AnyText) {
		return slices.ContainsFunc(states, a.open)
	}
	return slices.ContainsFunc(states, func(s *nameState) bool {
		_, matched := a.reach(s.waits, syntax.EmptyOpContext(s.last, -1))
		return s.found || matched
	})
}

// after are the states that a text with sizes leads to.
func (a *nameAutomaton) after(states []*nameState, text string) []*nameState {
	for _, r := range text {
		next := make([]*nameState, 0, len(states))
		for _, s := range states {
			if r == anySize {
				next = append(next, a.afterDigits(s)...)
			} else {
				next = append(next, a.step(s, r))
			}
		}
		if states = next; len(states) > 1 {
			states = unique(states)
		}
	}
	return states
}

// unique are the states without repetitions.
func unique(states []*nameState) []*nameState {
	list := states[:0]
	for _, s := range states {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// names says which templates of names the pattern may match, if one of some texts follows; nil if it takes all.
func (p Pattern) names(after []string) func(template string) bool {
	if p.Regexp == nil {
		return nil
	}
	a := newNameAutomaton(p.String())
	return func(template string) bool {
		if strings.HasSuffix(template, suite.AnyText) || len(after) == 0 {
			return a.may(template)
		}
		return slices.ContainsFunc(after, func(text string) bool { return a.may(template + text) })
	}
}
