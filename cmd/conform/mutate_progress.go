package main

import (
	"fmt"
	"io"
	"time"

	"metalconform/suite/mutate"
)

// mutantProgress tells how far a run of mutants is.
type mutantProgress struct {
	*progress
	survived int
}

// newMutantProgress begins behind the mutants that have been judged before.
func newMutantProgress(w io.Writer, total int, known []mutate.Mutant) *mutantProgress {
	p := &mutantProgress{progress: newProgress(w, total)}
	for _, m := range known {
		p.count(m)
	}
	return p
}

func (p *mutantProgress) count(m mutate.Mutant) {
	p.done++
	if m.Fate == mutate.Survived {
		p.survived++
	}
}

// step counts a mutant and writes now and then.
func (p *mutantProgress) step(m mutate.Mutant) {
	p.count(m)
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(p.interval())
	line := fmt.Sprintf("%d of %d mutants, %d survived", p.done, p.total, p.survived)
	if !p.live {
		fmt.Fprintln(p.w, line)
		return
	}
	line += "  " + m.Function
	if len(line) >= p.width {
		line = line[:max(0, p.width-1)]
	}
	fmt.Fprint(behind(p.w), clearLine)
	fmt.Fprint(p.w, line)
}
