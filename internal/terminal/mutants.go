package terminal

import (
	"fmt"
	"io"
	"time"

	"metalconform/internal/printable"
	"metalconform/suite/mutate"
)

// MutantProgress tells how far a run of mutants is.
type MutantProgress struct {
	*Progress
	survived int
}

// NewMutantProgress begins behind the mutants that have been judged before.
func NewMutantProgress(w io.Writer, total int, known []mutate.Mutant) *MutantProgress {
	p := &MutantProgress{Progress: NewProgress(w, total)}
	for _, m := range known {
		p.count(m)
	}
	return p
}

func (p *MutantProgress) count(m mutate.Mutant) {
	p.done++
	if m.Fate == mutate.Survived {
		p.survived++
	}
}

// Step counts a mutant and writes now and then.
func (p *MutantProgress) Step(m mutate.Mutant) {
	p.count(m)
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(p.interval())
	line := fmt.Sprintf("%d of %s, %d survived", p.done, printable.Count(p.total, "mutant"), p.survived)
	if !p.live {
		fmt.Fprintln(p.w, line)
		return
	}
	line += "  " + m.Function
	if len(line) >= p.width {
		line = line[:max(0, p.width-1)]
	}
	fmt.Fprint(Unsanitized(p.w), clearLine)
	fmt.Fprint(p.w, line)
}
