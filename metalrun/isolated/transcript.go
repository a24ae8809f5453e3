package isolated

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
)

// transcript keeps what a worker and the frameworks in it print, line by line, as far as it tells why the process died
// or what shader validation has found. Everything else is dropped, however much there is.
type transcript struct {
	validates bool // the process has shader validation, and lines may be its reports

	mu      sync.Mutex
	partial []byte
	first   string   // line that is no announcement
	reason  []string // from the line on that begins one
	ended   bool     // the reason is complete
	reports []string // of shader validation since they were last taken
	more    int      // reports that there was no room for
	open    bool     // the last report may go on
	answers int      // that the worker has announced
	heard   chan struct{}
}

const (
	mostLine    = 1000 // bytes
	mostReason  = 12   // lines
	mostReports = 20
)

var (
	// announcement is a line that every process with a layer of validation begins with.
	announcement = regexp.MustCompile(`Metal (API|GPU|Shader) Validation Enabled`)
	// dying begins what a process says when it ends: assertions, exceptions, and those of the Go runtime.
	dying = regexp.MustCompile(`failed assertion|\*\*\* Terminating|[Ff]atal error|^panic: `)
	// stacks follow the reason.
	stacks = regexp.MustCompile(`^(\*\*\* First throw|SIG[A-Z]+:|goroutine |PC=|\t)`)
	// report is what shader validation says of an access: Invalid device store at offset 128000, executing kernel
	// function: "k".
	report = regexp.MustCompile(`\b(Invalid|Null|Out.of.bounds|Illegal)\b.*\b(load|store|read|write|access|cast)\b|` +
		`executing (kernel|compute) function`)
	// reportGoesOn are the lines after it, such as that of the buffer.
	reportGoesOn = regexp.MustCompile(`^(\s+\S|buffer: |texture: |pipeline: |encoder: |dispatch: |at )`)
)

// answered is how a worker announces in its transcript that an answer follows: what stands before belongs to the
// request. No framework prints it.
const answered = "\x1econform: answered\x1e"

// Write takes text in pieces of any length.
func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, b := range p {
		switch {
		case b == '\n':
			t.line(string(t.partial))
			t.partial = t.partial[:0]
		case len(t.partial) < mostLine:
			t.partial = append(t.partial, b)
		}
	}
	return len(p), nil
}

func (t *transcript) line(s string) {
	s = strings.TrimRight(s, "\r")
	goesOn := t.open && reportGoesOn.MatchString(s)
	t.open = false
	switch {
	case strings.HasSuffix(s, answered):
		t.answers++
		if t.heard != nil {
			close(t.heard)
			t.heard = nil
		}
		return
	case goesOn && len(t.reports) > 0:
		t.reports[len(t.reports)-1] += "; " + strings.TrimSpace(s)
		t.open = true
		return
	case t.validates && report.MatchString(s):
		if t.open = len(t.reports) < mostReports; t.open {
			t.reports = append(t.reports, s)
		} else {
			t.more++
		}
	}
	if t.first == "" && strings.TrimSpace(s) != "" && !announcement.MatchString(s) {
		t.first = strings.TrimSpace(s)
	}
	switch begins := len(t.reason) == 0 && dying.MatchString(s); {
	case begins, len(t.reason) > 0 && !t.ended && !stacks.MatchString(s) && strings.TrimSpace(s) != "":
		t.reason = append(t.reason, strings.TrimSpace(s))
		t.ended = len(t.reason) == mostReason
	case len(t.reason) > 0:
		t.ended = true
	}
}

// String is why the process died, as far as it said so: the reason, what shader validation has found, or else the first
// line.
func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.partial) > 0 {
		t.line(string(t.partial))
		t.partial = nil
	}
	lines := t.reason
	if len(lines) == 0 && len(t.reports) > 0 {
		lines = t.reports[:1]
	}
	if len(lines) == 0 {
		return t.first
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), "; '", "'") // the quote that ends an assertion
}

// await waits until the worker has announced so many answers, for a moment.
func (t *transcript) await(answers int) {
	for timeout := time.After(time.Second); ; {
		t.mu.Lock()
		if t.answers >= answers {
			t.mu.Unlock()
			return
		}
		if t.heard == nil {
			t.heard = make(chan struct{})
		}
		heard := t.heard
		t.mu.Unlock()
		select {
		case <-heard:
		case <-timeout:
			return
		}
	}
}

// take returns what shader validation has found since the last time, "" for nothing.
func (t *transcript) take() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.reports) == 0 {
		return ""
	}
	text := t.reports[0]
	if n := len(t.reports) - 1 + t.more; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	t.reports, t.more, t.open = nil, 0, false
	return text
}
