package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"metalconform/internal/printable"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Style is how text is written.
type Style struct {
	Colour  bool // with the escape sequences of a terminal
	Verbose bool // with what supports a warning, below its line
	// MaxFailures bounds how many failures are shown, and how many warnings; the others
	// are counted.
	MaxFailures int
	// MaxNotes bounds how many notes are shown for a kernel; the others are
	// counted.
	MaxNotes int
}

// DefaultStyle is plain text with at most ten failures and four notes for each
// kernel.
var DefaultStyle = Style{MaxFailures: 10, MaxNotes: 4}

// Colours of a terminal.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (s Style) paint(colour, text string) string {
	if !s.Colour {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// verdict is a status as a word, in capitals where it needs attention.
func (s Style) verdict(status suite.Status) string {
	switch status {
	case suite.Pass:
		return s.paint(green, "pass")
	case suite.Fail:
		return s.paint(red, "FAIL")
	case suite.Error:
		return s.paint(red, "ERROR")
	}
	return s.paint(yellow, string(status))
}

// Failures writes the problems of a table and its failures: each cause once, with its smallest case, the number of the
// others and the command that repeats it. It writes nothing if there are none.
func (s Style) Failures(w io.Writer, t Table) error {
	if err := s.Problems(w, t); err != nil {
		return err
	}
	var b strings.Builder
	for i, f := range t.Failures {
		if i == s.MaxFailures {
			fmt.Fprintf(&b, "and %s\n\n", printable.Count(len(t.Failures)-i, "more cause"))
			break
		}
		head := fmt.Sprintf("%s %s: ", s.verdict(f.Status), f.Case)
		b.WriteString(head + strings.Join(f.Sentences(), "\n"+head) + "\n")
		if f.Also > 0 {
			fmt.Fprintf(&b, "\tand in %s of %s\n", printable.Count(f.Also, "more case"), f.Kernel)
		}
		fmt.Fprintf(&b, "\trepeat: %s\n\n", f.Replay)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Problems writes what fails a run beside its cases: of each kind the first with what can
// be done, some more, and the names of the others.
func (s Style) Problems(w io.Writer, t Table) error {
	var b strings.Builder
	all := t.failing()
	for i := 0; i < len(all); {
		kind, shown := all[i].Kind, 0
		var rest []string
		for ; i < len(all) && all[i].Kind == kind; i++ {
			switch shown++; {
			case shown == 1:
				fmt.Fprintf(&b, "%s %s\n\n", s.paint(red, "FAIL"), all[i].Whole())
			case shown <= s.MaxFailures:
				fmt.Fprintf(&b, "%s %s\n\n", s.paint(red, "FAIL"), all[i])
			default:
				rest = append(rest, all[i].Name)
			}
		}
		if len(rest) > 0 {
			fmt.Fprintf(&b, "%s %s of this kind: %s\n\n", s.paint(red, "FAIL"), printable.Count(len(rest),
				"more problem"),
				strings.Join(rest, ", "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Warnings writes a line for each cause of warnings, and what supports it if that is asked for. It writes nothing if
// there are none.
func (s Style) Warnings(w io.Writer, t Table) error {
	var b strings.Builder
	for i, n := range t.Warnings {
		if i == s.MaxFailures {
			fmt.Fprintf(&b, "and %s\n", printable.Count(len(t.Warnings)-i, "more warning"))
			break
		}
		headline, more, _ := strings.Cut(n.Text, "\n")
		fmt.Fprintf(&b, "%s %s: %s (%s)\n", s.paint(yellow, "warning"), n.Kernel, headline, n.Extent())
		if s.Verbose && more != "" {
			b.WriteString(more + "\n")
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Rows writes a line per kernel, then what was skipped, what is known to fail, and the
// notes. Of a kernel that passes, errors in units of its sums are for the verbose.
func (s Style) Rows(w io.Writer, t Table) error {
	scaled := func(m metrics.Metric) bool { return !s.Verbose && m.Unit == metrics.ScaledUnit }
	if t.outcome() == Passed {
		t.Metrics = slices.DeleteFunc(slices.Clone(t.Metrics), scaled)
	}
	rows := [][]string{slices.Concat([]string{"kernel", "cases"}, t.heads(), []string{"time", "verdict"})}
	for _, r := range t.Rows {
		verdict := s.verdict(r.Status()) + r.share()
		values := t.values(r)
		for i, m := range t.Metrics.Shown(metrics.InTables) {
			if r.Status() == suite.Pass && scaled(m) {
				values[i] = ""
			}
		}
		rows = append(rows,
			slices.Concat([]string{r.Kernel, fmt.Sprint(r.Cases())}, values, []string{r.time(), verdict}))
	}
	var b strings.Builder
	b.WriteString(align(rows))
	table := b.Len()
	for _, skip := range t.Skips {
		fmt.Fprintf(&b, "%s %s: %s (%s)\n", s.verdict(suite.Skip), skip.Kernel, skip.Reason,
			printable.Count(skip.Cases, "case"))
	}
	for _, text := range t.known() {
		fmt.Fprintf(&b, "%s %s\n", s.verdict(Known), text)
	}
	s.notes(&b, t.Notes)
	text := b.String()
	if len(text) > table {
		text = text[:table] + "\n" + text[table:]
	}
	_, err := io.WriteString(w, text)
	return err
}

// notes writes the first notes of each kernel.
func (s Style) notes(b *strings.Builder, all []Note) {
	for i := 0; i < len(all); {
		kernel, shown := all[i].Kernel, 0
		for ; i < len(all) && all[i].Kernel == kernel; i++ {
			if shown++; shown <= s.MaxNotes {
				fmt.Fprintf(b, "note %s: %s (%s)\n", kernel, all[i].Text, printable.Count(all[i].Cases, "case"))
			}
		}
		if rest := shown - s.MaxNotes; rest > 0 {
			fmt.Fprintf(b, "note %s: and %s\n", kernel, printable.Count(rest, "more note"))
		}
	}
}

// Verdict writes the verdict on a table in a line.
func (s Style) Verdict(w io.Writer, t Table) error {
	_, err := fmt.Fprintln(w, s.spelt(t.Verdict()))
	return err
}

// spelt is a verdict in a line, in colour.
func (s Style) spelt(v Verdict) string {
	colour := map[Outcome]string{Passed: green, Failed: red, NotJudged: yellow}[v.Outcome]
	return strings.TrimSpace(s.paint(colour, string(v.Outcome)) + " " + v.Reason)
}

// Scope writes a line on how much was judged and what that came to. planned is how many cases there were to be, elapsed
// the wall time of the run, 0 if it is not known.
func (s Style) Scope(w io.Writer, t Table, planned int, elapsed time.Duration) error {
	_, err := fmt.Fprintln(w, scope(t, planned, elapsed))
	return err
}

// scope says how much was judged, in what time, and how many cases have which verdict.
func scope(t Table, planned int, elapsed time.Duration) string {
	judged, open := 0, 0
	for _, r := range t.Rows {
		judged += r.Judged
		open += r.Open
	}
	cases := printable.Count(t.Cases(), "case")
	if t.Cases() < planned {
		cases = fmt.Sprintf("%d of %s", t.Cases(), printable.Count(planned, "case"))
	}
	line := fmt.Sprintf("%s of %s, %s", cases, t.Subjects(), printable.Count(judged-open, "element"))
	if open > 0 {
		line += fmt.Sprintf(" (%d not decided, %.2g %%)", open, 100*float64(open)/float64(judged))
	}
	if elapsed > 0 {
		line += ", " + Duration(elapsed)
	}
	if counts := t.counts(); counts != "" {
		line += ": " + counts
	}
	return line
}

// counts say how many cases have which verdict.
func (t Table) counts() string {
	var parts []string
	for _, x := range []struct {
		status suite.Status
		what   string
	}{
		{suite.Pass, "pass"}, {suite.Fail, "fail"}, {suite.Error, "not judged"}, {Known, "known to fail"},
		{suite.Skip, "skipped"}, {suite.Expected, "expected to fail"}, {suite.Waived, "waived"},
	} {
		if n := t.Count(x.status); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, x.what))
		}
	}
	return strings.Join(parts, ", ")
}

// Line writes one result as a line.
func (s Style) Line(w io.Writer, r suite.Result) error {
	figures := fmt.Sprintf("%s of bound, %s", Figure(r.ErrorRatio), Duration(time.Duration(r.NS)))
	if r.Elements == 0 || r.ErrorRatio > mostTimes {
		figures = r.Headline()
	}
	line := strings.TrimSpace(s.verdict(r.Status) + " " + r.Case + " " + figures)
	_, err := io.WriteString(w, line+"\n")
	return err
}

// Unbounded reports whether an error is that of an element that has no bound to be a fraction of: it had to be exact.
func Unbounded(ratio float64) bool { return math.Abs(ratio) >= math.MaxFloat64 }

// finite turns the largest float64 of either sign, which stands for infinity in
// a result, back into it.
func finite(x float64) float64 {
	if math.Abs(x) == math.MaxFloat64 {
		return math.Copysign(math.Inf(1), x)
	}
	return x
}

// align lays out rows in columns: the first and the last to the left, the
// figures between them to the right. Escape sequences take no room, which is
// why only the last column may have them.
func align(rows [][]string) string {
	last := len(rows[0]) - 1
	width := make([]int, last)
	for _, row := range rows {
		for i := range width {
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row[:last] {
			room := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				b.WriteString(cell + room + "  ")
			} else {
				b.WriteString(room + cell + "  ")
			}
		}
		b.WriteString(row[last] + "\n")
	}
	return b.String()
}
