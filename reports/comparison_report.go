package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/reports/statistics"
)

// ComparisonFormat writes a comparison. The same comparison gives the same bytes.
type ComparisonFormat struct {
	Name  string
	Write func(io.Writer, *Comparison, bool) error // in colour
}

// ComparisonFormats are all that there are.
func ComparisonFormats() []ComparisonFormat {
	return []ComparisonFormat{{"text", comparisonText}, {"markdown", comparisonMarkdown}, {"json", comparisonJSON}}
}

// ComparisonFormatNames are those of all.
func ComparisonFormatNames() []string {
	var names []string
	for _, f := range ComparisonFormats() {
		names = append(names, f.Name)
	}
	return names
}

// WriteComparison writes a comparison in the format of a name, in colour or not.
func WriteComparison(w io.Writer, name string, c *Comparison, colour bool) error {
	i := slices.Index(ComparisonFormatNames(), name)
	return ComparisonFormats()[i].Write(w, c, colour)
}

// comparisonText writes the verdict, what was compared, and what changed.
func comparisonText(w io.Writer, c *Comparison, colour bool) error {
	s := DefaultStyle
	s.Colour = colour
	var b strings.Builder
	fmt.Fprintln(&b, s.spelt(c.Verdict()))
	for _, line := range c.About() {
		b.WriteString(line + "\n")
	}
	b.WriteByte('\n')
	s.groups(&b, c)
	for _, picture := range c.pictures() {
		b.WriteString(picture)
	}
	for _, line := range c.Counts() {
		b.WriteString(line + "\n")
	}
	fmt.Fprintf(&b, "\n%s\n", c.Explain())
	_, err := io.WriteString(w, b.String())
	return err
}

// About says what was compared.
func (c *Comparison) About() []string {
	if c.Together {
		return append([]string{fmt.Sprintf("base %s, head %s", c.Base.Root, c.Head.Root)}, about(c.Head)...)
	}
	base, head := about(c.Base), about(c.Head)
	lines := []string{"base " + strings.Join(base, "; "), "head " + strings.Join(head, "; ")}
	if len(c.Differs) > 0 {
		lines = append(lines, "not the same: "+strings.Join(c.Differs, "; "))
	}
	if len(c.Apart) > 0 {
		lines = append(lines, "times are not compared: "+strings.Join(c.Apart, "; "))
	}
	return lines
}

// Counts say how many rows of each aspect have which verdict, a line each.
func (c *Comparison) Counts() []string {
	var lines []string
	for _, a := range Aspects() {
		var parts []string
		for _, v := range []statistics.Verdict{statistics.Regressed, statistics.Improved, statistics.Inconclusive,
			statistics.Unchanged} {
			if n := c.Count(a, v); n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, v))
			}
		}
		if len(parts) == 0 && a == Expected && c.unforecast == "" {
			continue
		}
		if len(parts) == 0 {
			parts = []string{"nothing to compare"}
			switch {
			case a == Speed && c.Together && c.Head.Device.Clock == metalrun.HostClock:
				parts[0] += "; those of a simulator say nothing of a GPU"
			case a == Expected:
				parts[0] += "; " + c.unforecast
			case c.Together:
			case a == Speed && len(c.Apart) == 0:
				parts[0] += "; conform bench -count 10 -o DIR writes times next to the results of both"
			case a == Counted:
				parts[0] += "; conform run -work counts what kernels do on the simulator"
			}
		}
		line := string(a) + ": " + strings.Join(parts, ", ")
		if more := c.more(a); more > 0 {
			line += fmt.Sprintf("; %s", c.advice(a, more))
		}
		lines = append(lines, line)
	}
	return lines
}

// more is how many samples more would settle half of the rows of an aspect that are
// inconclusive.
func (c *Comparison) more(a Aspect) int {
	var list []int
	for _, r := range c.Rows {
		if r.Aspect == a && r.More > 0 {
			list = append(list, r.More)
		}
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// advice says how to get samples.
func (c *Comparison) advice(a Aspect, more int) string {
	if a == Speed && c.Together {
		return fmt.Sprintf("about %s of each case would decide: -count", printable.Count(more, "sample")+" more")
	}
	if a == Speed {
		return fmt.Sprintf("about %s of each case would decide: conform bench -count N -o DIR next to the "+
			"results",
			printable.Count(more, "sample")+" more")
	}
	return fmt.Sprintf("about %s of a kernel would decide: conform run -sweep full", printable.Count(more,
		"case")+" more")
}

// Explain says by what policy the comparison is judged: what counts, and what fails.
func (c *Comparison) Explain() string {
	p := c.Policy
	var fail []string
	untimed := false
	for _, a := range p.Fail {
		switch {
		case a == Speed && !Gated(c.Head.Device):
			untimed = true
		case a == Expected && !slices.ContainsFunc(c.Rows, func(r ComparedRow) bool { return r.Aspect == Expected }):
		default:
			fail = append(fail, string(a))
		}
	}
	text := fmt.Sprintf("policy (%s): errors count from %s %% on, times from %s %%, work from %s × on; chances are "+
		"adjusted for %s (Holm), α %s",
		p.Source, Figure(100*p.Error), Figure(100*p.Time), Figure(1+p.Work), printable.Count(c.Tests, "test"),
		Figure(p.Alpha))
	if len(fail) == 0 {
		return text + "; nothing fails"
	}
	text += "; what regresses in " + strings.Join(fail, ", ") + " fails"
	if untimed {
		text += "; times do not, since this device's are not those of a GPU"
	}
	return text
}

// Verdict is whether anything regressed that the policy names, and what did.
func (c *Comparison) Verdict() Verdict {
	list := c.Regressions()
	switch {
	case len(list) > 0:
	case c.Crashed != nil:
		first, _, _ := strings.Cut(c.Crashed.Error(), "\n")
		return Verdict{NotJudged, first}
	default:
		return Verdict{Passed, "nothing regressed"}
	}
	first := list[0]
	what := regressions[first.Aspect]
	if first.Aspect == Verdicts {
		what = cmp.Or(first.Why, "new failures")
	}
	reasons := make([]string, len(list))
	reasons[0] = first.Name + ": " + what
	return Verdict{Failed, group{reasons: reasons, noun: "regression"}.clause(true)}
}

// comparisonMarkdown writes a summary for a page.
func comparisonMarkdown(w io.Writer, c *Comparison, _ bool) error {
	p := &page{limit: SummaryLimit}
	p.write(fmt.Sprintf("## Conform compare: %s\n\n", Inline(c.Verdict().String())))
	for _, line := range append(c.About(), c.Counts()...) {
		p.write(Inline(line) + "  \n")
	}
	p.section("Before and after", "```text\n", c.pictures(), "```\n", "of these")
	p.changes(c)
	p.write("\n" + Inline(c.Explain()) + "\n")
	_, err := io.WriteString(w, p.text.String())
	return err
}

// comparisonSchema and comparisonVersion name the JSON of a comparison.
const (
	comparisonSchema  = "conform.comparison"
	comparisonVersion = 1
)

// comparisonJSON writes all rows, and the lists of cases, as one object.
func comparisonJSON(w io.Writer, c *Comparison, _ bool) error {
	type side struct {
		Commit  string    `json:"commit,omitempty"`
		Root    string    `json:"root,omitempty"` // of the shaders
		Started time.Time `json:"started"`
		Device  Device    `json:"device"`
		Host    Host      `json:"host"`
		Options Options   `json:"options"`
	}
	type change struct {
		Case string   `json:"case"`
		Was  string   `json:"was,omitempty"`
		Is   string   `json:"is"`
		By   []string `json:"by,omitempty"`
	}
	changes := func(list []Change) []change {
		var out []change
		for _, x := range list {
			out = append(out, change{x.Case, string(x.Was), string(x.Is), x.By})
		}
		return out
	}
	of := func(h Header) side { return side{h.Commit, h.Root, h.Started, h.Device, h.Host, h.Options} }
	names := []string{}
	for _, r := range c.Regressions() {
		names = append(names, fmt.Sprintf("%s of %s", r.Aspect, r.Name))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	return encoder.Encode(struct {
		Schema      string        `json:"schema"`
		Version     int           `json:"version"`
		Base        side          `json:"base"`
		Head        side          `json:"head"`
		Differs     []string      `json:"differs,omitempty"`
		Apart       []string      `json:"apart,omitempty"`
		Policy      Policy        `json:"policy"`
		Correction  string        `json:"correction"`
		Tests       int           `json:"tests"`
		Verdict     Outcome       `json:"verdict"`
		Reason      string        `json:"reason"`
		Regressions []string      `json:"regressions"` // that fail by the policy
		New         []change      `json:"new,omitempty"`
		Fixed       []change      `json:"fixed,omitempty"`
		Other       []change      `json:"other,omitempty"`
		Added       []string      `json:"added,omitempty"`
		Removed     []string      `json:"removed,omitempty"`
		Lost        []string      `json:"lost,omitempty"`
		Vanished    []Vanished    `json:"vanished,omitempty"`
		Rows        []ComparedRow `json:"rows"`
	}{
		comparisonSchema, comparisonVersion, of(c.Base), of(c.Head), c.Differs, c.Apart, c.Policy, "holm", c.Tests,
		c.Verdict().Outcome, c.Verdict().Reason, names,
		changes(c.New), changes(c.Fixed), changes(c.Other), c.Added, c.Removed, c.Lost, c.Vanished, c.Rows,
	})
}
