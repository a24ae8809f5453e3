package terminal

import (
	"fmt"
	"io"
	"os"
	"time"

	"metalconform/internal/printable"

	"golang.org/x/term"
)

// Progress tells how far a run is: one line that is rewritten on a terminal,
// now and then a line of its own elsewhere.
type Progress struct {
	w      io.Writer
	live   bool // w is a terminal
	width  int  // of the terminal
	total  int
	done   int
	failed int
	begin  time.Time
	next   time.Time // when to write again
}

// clearLine begins the line of a terminal anew.
const clearLine = "\r\x1b[K"

// How often progress is written.
const (
	liveInterval = 100 * time.Millisecond
	lineInterval = 15 * time.Second
)

// NewProgress begins with none of total cases done.
func NewProgress(w io.Writer, total int) *Progress {
	p := &Progress{w: w, total: total, live: isTerminal(w), width: 80}
	if p.live {
		if width, _, err := term.GetSize(int(Unsanitized(w).(*os.File).Fd())); err == nil && width > 0 {
			p.width = width
		}
	}
	p.begin = time.Now()
	p.next = p.begin.Add(p.interval())
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := Unsanitized(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (p *Progress) interval() time.Duration {
	if p.live {
		return liveInterval
	}
	return lineInterval
}

// Step counts the case called name.
func (p *Progress) Step(name string, bad bool) {
	p.done++
	if bad {
		p.failed++
	}
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(p.interval())
	p.write(name, now.Sub(p.begin))
}

// write tells how far the run is after so long.
func (p *Progress) write(name string, elapsed time.Duration) {
	line := fmt.Sprintf("%d of %s", p.done, printable.Count(p.total, "case"))
	if p.failed > 0 {
		line += fmt.Sprintf(", %d failed", p.failed)
	}
	line += rate(p.done, p.total, elapsed)
	if !p.live {
		fmt.Fprintln(p.w, line)
		return
	}
	line += "  " + name
	if len(line) >= p.width {
		line = line[:max(0, p.width-1)]
	}
	fmt.Fprint(Unsanitized(p.w), clearLine)
	fmt.Fprint(p.w, line)
}

// rate is how many cases are done in a second, and how long the others take at
// that rate: nothing in the first second, which says little.
func rate(done, total int, elapsed time.Duration) string {
	if elapsed < time.Second || done == 0 {
		return ""
	}
	rate := float64(done) / elapsed.Seconds()
	left := time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
	if rate < 10 {
		return fmt.Sprintf(", %.2g/s, %v left", rate, left)
	}
	return fmt.Sprintf(", %.0f/s, %v left", rate, left)
}

// Clear removes the line, so that others can be written.
func (p *Progress) Clear() {
	if p.live {
		fmt.Fprint(Unsanitized(p.w), clearLine)
	}
}

// Coloured reports whether text on w has colours: on a terminal it does unless
// NO_COLOR is set, and elsewhere if CLICOLOR_FORCE is.
func Coloured(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	return isTerminal(w) || os.Getenv("CLICOLOR_FORCE") != ""
}
