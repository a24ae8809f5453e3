package trend

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"metalconform/internal/printable"
	"metalconform/reports"
)

// Format writes trends. The same trends give the same bytes.
type Format struct {
	Name  string
	Write func(io.Writer, []Trend) error
}

// Formats are all that there are.
func Formats() []Format {
	return []Format{{"text", text}, {"markdown", markdown}, {"json", asJSON}}
}

// text writes the steps of each series, the newest first.
func text(w io.Writer, trends []Trend) error {
	var b strings.Builder
	for i, t := range trends {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n%s\n", t.Series, t.About())
		for _, s := range t.Steps {
			fmt.Fprintf(&b, "\t%s\n", t.Sentence(s))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes a table of steps for each series.
func markdown(w io.Writer, trends []Trend) error {
	var b strings.Builder
	b.WriteString("## Conform: trends\n")
	for _, t := range trends {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", reports.Inline(t.Series.String()), reports.Inline(t.About()))
		for i, s := range t.Steps {
			if i == 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "- %s\n", reports.Inline(t.Sentence(s)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// schema and version name the JSON of trends.
const (
	schema  = "conform.trend"
	version = 2
)

// asJSON writes all that the trends are made of.
func asJSON(w io.Writer, trends []Trend) error {
	type series struct {
		Device     string  `json:"device"`
		OS         string  `json:"os"`
		Options    string  `json:"options"`
		Latency    int     `json:"latency"`
		FalseAlarm float64 `json:"false_alarm"`
		Nights     []Night `json:"nights"`
		Steps      []Step  `json:"steps"`
		Curves     []Curve `json:"curves"`
	}
	list := []series{}
	for _, t := range trends {
		list = append(list, series{t.Series.Device, t.Series.OS, t.Series.Options, t.Latency, FalseAlarm, t.Nights,
			slices.Concat([]Step{}, t.Steps), t.Curves})
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	return encoder.Encode(struct {
		Schema  string   `json:"schema"`
		Version int      `json:"version"`
		Series  []series `json:"series"`
	}{schema, version, list})
}

// About says what was searched, and how well a step would be seen.
func (t Trend) About() string {
	first, last := t.Nights[0].Key, t.Nights[len(t.Nights)-1].Key
	runs := printable.Count(len(t.Nights), "run")
	line := fmt.Sprintf("%s from %s (%s) to %s (%s): ", runs, first.Started.Format(time.DateOnly), first.Commit,
		last.Started.Format(time.DateOnly), last.Commit)
	switch n := len(t.Steps); n {
	case 0:
		line += "no step"
	case 1:
		line += "1 step"
	default:
		line += fmt.Sprintf("%d steps", n)
	}
	if t.Noisy > 0 {
		line += fmt.Sprintf("; by accident %s a step with a chance of %g %% at most",
			map[bool]string{true: "the only curve with noise shows",
				false: fmt.Sprintf("any of %d curves with noise shows", t.Noisy)}[t.Noisy == 1], 100*FalseAlarm)
		if t.Latency < len(t.Nights) {
			line += fmt.Sprintf(", and none shows it before %d runs have followed it", t.Latency)
		} else {
			line += ", and so few runs cannot show one"
		}
	}
	return line
}

// Sentence says what a step is, and between which commits.
func (t Trend) Sentence(s Step) string {
	var what string
	switch {
	case s.Aspect == reports.Verdicts && s.Worse:
		what = fmt.Sprintf("began to fail: %s", some(s.Cases))
	case s.Aspect == reports.Verdicts:
		what = fmt.Sprintf("no longer fails: %s", some(s.Cases))
	case s.Measure == "time":
		what = fmt.Sprintf("%s: × %s, from %s to %s", map[bool]string{true: "slower", false: "faster"}[s.Worse],
			reports.Figure(s.After/s.Before), seconds(s.Before), seconds(s.After))
	case s.Measure == "error":
		what = fmt.Sprintf("%s errors: × %s, typically from %s to %s of bound",
			map[bool]string{true: "larger", false: "smaller"}[s.Worse], reports.Figure(s.After/s.Before),
			reports.Figure(s.Before), reports.Figure(s.After))
	default:
		what = fmt.Sprintf("%s of errors from %s to %s",
			map[string]string{"bias": "systematic part", "inward": "part toward zero"}[s.Measure],
			reports.Figure(s.Before), reports.Figure(s.After))
	}
	line := fmt.Sprintf("%s %s; %s", s.Name, what, t.Range(s))
	if s.P > 0 {
		line += fmt.Sprintf(" (p %s)", reports.Figure(s.P))
	}
	if s.Undone {
		line += "; undone since"
	}
	return line
}

// Range says between which runs a step is.
func (t Trend) Range(s Step) string {
	last, first := t.Nights[s.Last].Key, t.Nights[s.First].Key
	date := first.Started.Format(time.DateOnly)
	switch {
	case last.Commit == first.Commit:
		return fmt.Sprintf("at commit %s, with nothing committed, by %s", first.Commit, date)
	case last.Shaders == first.Shaders:
		return fmt.Sprintf("after commit %s up to %s of %s, with the same shaders", last.Commit, first.Commit, date)
	}
	return fmt.Sprintf("after commit %s up to %s of %s", last.Commit, first.Commit, date)
}

// some are the first of several names.
func some(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// seconds is a time.
func seconds(x float64) string { return reports.Duration(time.Duration(x * 1e9)) }
