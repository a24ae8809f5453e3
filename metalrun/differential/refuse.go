package differential

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// mostRounds bounds how often clang is asked for what it refuses.
const mostRounds = 60

// refuse leaves out what clang does not take, until it takes the rest.
func (b *batch) refuse() error {
	for round := 0; ; round++ {
		if err := b.write(); err != nil {
			return err
		}
		out, err := b.compile("-fsyntax-only", "programs.cc")
		if err == nil {
			return nil
		}
		dropped := false
		for _, c := range complaints(out) {
			dropped = b.blame(c) || dropped
		}
		if !dropped || round == mostRounds {
			return fmt.Errorf("clang refuses the programs: %.2000s", out)
		}
		b.answerRefused()
	}
}

// answerRefused says of launches why they are refused.
func (b *batch) answerRefused() {
	for i, e := range b.entry {
		switch {
		case e == nil || b.answers[i].Refused != "":
		case e.refused != "":
			b.answers[i].Refused = e.refused
		case e.of.refused != "":
			e.refused = e.of.refused
			b.answers[i].Refused = e.refused
		}
	}
}

// complaint is an error of clang with the places that it names: where it is, and what asked for that, the innermost
// first.
type complaint struct {
	message string
	at      []pieceLine
}

// pieceLine is a line of a piece, or an entry.
type pieceLine struct {
	file string // "p0", "entry0" or another
	line int
}

// said is a line in which clang says something.
var said = regexp.MustCompile(`(?m)^([^:\n]+):(\d+):(?:\d+:)? (error|fatal error|note): (.*)$`)

func complaints(out string) (list []complaint) {
	for _, m := range said.FindAllStringSubmatch(out, -1) {
		line, _ := strconv.Atoi(m[2])
		at := pieceLine{m[1], line}
		if m[3] != "note" {
			list = append(list, complaint{message: m[4], at: []pieceLine{at}})
		} else if n := len(list); n > 0 && strings.HasPrefix(m[4], "in ") {
			list[n-1].at = append(list[n-1].at, at)
		}
	}
	return list
}

// blame leaves out the entry that a complaint is about, or the outermost of the declarations that led to it. It reports
// whether there was one.
func (b *batch) blame(c complaint) bool {
	for k := len(c.at) - 1; k >= 0; k-- {
		at := c.at[k]
		if n, is := numbered(at.file, "entry"); is {
			e := b.entries[n]
			if e.refused != "" {
				return false
			}
			e.refused = b.reason(c)
			return true
		}
		if n, is := numbered(at.file, "p"); is && b.texts[n].refuse(at.line/linesPerPiece, b.reason(c)) {
			return true
		}
	}
	return false
}

// numbered is the number after a word, if a file is called so.
func numbered(file, word string) (n int, is bool) {
	number, is := strings.CutPrefix(file, word)
	n, err := strconv.Atoi(number)
	return n, is && err == nil
}

// missing is what clang says of a declaration that was left out before.
var missing = regexp.MustCompile(`(?:deleted (?:member )?function|undeclared identifier|no template named|unknown ` +
	`type name|undefined template) '(?:[^'<]*::)?([A-Za-z_0-9]+)`)

// reason is why clang refuses something, for a reader: why what it uses is refused, if that is why.
func (b *batch) reason(c complaint) string {
	if m := missing.FindStringSubmatch(c.message); m != nil {
		for _, t := range b.texts {
			for _, p := range t.pieces {
				if p.refused != "" && p.name == m[1] {
					return p.refused
				}
			}
		}
	}
	return "clang: " + c.message
}
