package main

import (
	"fmt"
	"io"
	"time"

	"metalconform/suite"
)

// mutantProgress tells how far a run of mutants is.
type mutantProgress struct {
	*progress
	survived int
}

func newMutantProgress(w io.Writer, total, done int) *mutantProgress {
	p := &mutantProgress{progress: newProgress(w, total)}
	p.done = done
	return p
}

// step counts a mutant.
func (p *mutantProgress) step(m suite.Mutant) {
	p.done++
	if m.Fate == suite.Survived {
		p.survived++
	}
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
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}
