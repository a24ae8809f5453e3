package suite

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Excuse is why a mutant survives.
type Excuse struct {
	Line int    // of the file
	Key  string // of the mutant
	// Equivalent says that the mutant computes the same by an argument that no
	// rule carries out; otherwise it computes something else, and no case shows it.
	Equivalent bool
	Reason     string
}

// ReadExcuses reads a file of explained survivors. A line at the margin is
// what the indented lines behind it have in common, the keys of mutants:
//
//	# comment
//	equivalent: one clause that says why
//		norm.metal threadgroup_sum constant: …
//	undetected: one clause that says why no case shows it
//		norm.metal rms_norm_qk cast: …
func ReadExcuses(r io.Reader) ([]Excuse, error) {
	var list []Excuse
	var reason Excuse
	seen := map[string]int{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		indented := strings.HasPrefix(lines.Text(), "\t") || strings.HasPrefix(lines.Text(), " ")
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case !indented:
			kind, why, ok := strings.Cut(text, ": ")
			if !ok || !slices.Contains([]string{"equivalent", "undetected"}, kind) {
				return nil, fmt.Errorf("line %d: want equivalent: or undetected: and a reason", n)
			}
			reason = Excuse{Equivalent: kind == "equivalent", Reason: strings.TrimSpace(why)}
		case reason.Reason == "":
			return nil, fmt.Errorf("line %d: a mutant without a reason before it", n)
		case seen[text] > 0:
			return nil, fmt.Errorf("line %d: the mutant is explained in line %d already", n, seen[text])
		default:
			seen[text] = n
			e := reason
			e.Line, e.Key = n, text
			list = append(list, e)
		}
	}
	return list, lines.Err()
}

// Unexcused are the survivors without an excuse.
func Unexcused(mutants []Mutant, excuses []Excuse) []Mutant {
	excused := byKey(excuses)
	return slices.DeleteFunc(slices.Clone(mutants), func(m Mutant) bool {
		_, ok := excused[m.Key]
		return ok || m.Fate != Survived
	})
}

// StaleExcuses are the excuses of what does not survive, or is no mutant.
func StaleExcuses(mutants []Mutant, excuses []Excuse) []Excuse {
	survives := map[string]bool{}
	for _, m := range mutants {
		if m.Fate == Survived {
			survives[m.Key] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(excuses), func(e Excuse) bool { return survives[e.Key] })
}

// Argued gives the survivors that are explained as equivalent that fate.
func Argued(mutants []Mutant, excuses []Excuse) []Mutant {
	excused := byKey(excuses)
	mutants = slices.Clone(mutants)
	for i, m := range mutants {
		if e := excused[m.Key]; m.Fate == Survived && e.Equivalent {
			mutants[i].Fate, mutants[i].Proof = Equivalent, e.Reason
		}
	}
	return mutants
}

func byKey(excuses []Excuse) map[string]Excuse {
	m := map[string]Excuse{}
	for _, e := range excuses {
		m[e.Key] = e
	}
	return m
}
