package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"metalconform/internal/printable"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/reports/attack"
	"metalconform/reports/diagnostics"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// fullRun is the run that formats are tested with.
var fullRun = sync.OnceValues(func() (reports.Run, error) {
	name := filepath.Join("..", "..", "reports", "testdata", "report.json")
	file, err := os.ReadFile(name)
	if err != nil {
		return reports.Run{}, err
	}
	run, _, err := reports.Read(bytes.NewReader(file), name)
	return run, err
})

// attacked is a run with every verdict, of which one case has all that a case can have, whose texts
// all end in an attack.
func attacked(t *testing.T, text string) reports.View {
	t.Helper()
	run, err := fullRun()
	if err != nil {
		t.Fatal(err)
	}
	full := run.Results[5]
	full.Unusable, full.Crash = nil, nil
	attack.Fill(&full)
	full.Case, full.Unusable = "full/n=1/input=wide", nil
	run.Results = append([]suite.Result(nil), run.Results...)
	run.Results[5] = full
	attack.Fill(&run.Header)
	run.Shard, run.Header.Device.Clock = nil, metalrun.GPUClock
	before := run
	before.Results = append([]suite.Result(nil), run.Results...)
	before.Results[3].Status = suite.Pass
	before.Commit = "fedcba9"
	with := func(s string) string { return s + text }
	for _, r := range []*reports.Run{&run, &before} {
		attack.Spread(&r.Header, with, metalrun.Clock(""))
		attack.Spread(&r.Results, with, suite.Status(""), metalrun.Clock(""))
		attack.Spread(&r.Ending, with)
	}
	return reports.View{Run: run,
		Against: reports.Compare(reports.Set{Run: before}, reports.Set{Run: run}, reports.DefaultPolicy())}
}

// harmlessText is what a report must be as a text, whatever its format.
func harmlessText(text string) error {
	for line := range strings.Lines(text) {
		for _, r := range terminal.Colours.ReplaceAllString(strings.TrimSuffix(line, "\n"), "") {
			if r != '\t' && !printable.Harmless(r) {
				return fmt.Errorf("%q has %q", line, r)
			}
		}
	}
	return nil
}

var hashCommand = regexp.MustCompile(`##\w*\[`)

var workflowCommand = regexp.MustCompile(`^::(error|warning|notice|group|endgroup)( file=[^:]*| title=[^:]*)*::`)

// readers check a report by what reads it, and give what no text may change: how many rows, elements
// or lines there are.
var readers = map[string]func(text string) (shape int, err error){
	"text": func(text string) (int, error) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || hashCommand.MatchString(line) {
				return 0, fmt.Errorf("a command: %q", line)
			}
		}
		return 0, harmlessText(text)
	},
	"github": func(text string) (int, error) {
		for line := range strings.Lines(text) {
			if !workflowCommand.MatchString(line) {
				return 0, fmt.Errorf("no command of ours: %q", line)
			}
		}
		return strings.Count(text, "\n"), harmlessText(text)
	},
	"markdown": func(text string) (int, error) {
		if outside := code.ReplaceAllString(text, ""); mention.MatchString(outside) {
			return 0, fmt.Errorf("a mention: %q", mention.FindString(outside))
		} else if markup := regexp.MustCompile(`(^|[^\\])\]\(|<(script|img|svg|style|x)`).FindString(outside); markup !=
			"" {
			i := strings.Index(outside, markup)
			return 0, fmt.Errorf("markup: %q", outside[max(0, i-80):min(len(outside), i+40)])
		}
		return 0, harmlessText(text)
	},
	"junit": func(text string) (int, error) {
		elements := 0
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return elements, nil
			}
			if err != nil {
				return 0, err
			}
			if _, begins := token.(xml.StartElement); begins {
				elements++
			}
		}
	},
	"csv": func(text string) (int, error) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || hashCommand.MatchString(line) {
				return 0, fmt.Errorf("a command: %q", line)
			}
		}
		if err := harmlessText(text); err != nil {
			return 0, err
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		for _, row := range rows {
			for _, cell := range row {
				if _, number := strconv.ParseFloat(cell, 64); number != nil && cell != "" &&
					strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
					return 0, fmt.Errorf("a formula: %q", cell)
				}
			}
		}
		return len(rows), err
	},
	"json": func(text string) (int, error) {
		run, ok, err := reports.Read(strings.NewReader(text), "results")
		if err == nil && (!ok || len(run.Flaws) > 0) {
			err = fmt.Errorf("flaws: %v", run.Flaws)
		}
		return len(run.Results), err
	},
	"bench": func(text string) (int, error) { return strings.Count(text, "\n"), harmlessText(text) },
}

var (
	code    = regexp.MustCompile("(?s)(^|\n)(`{3,}|~{3,})[^\n]*\n.*?\n(`{3,}|~{3,})|`[^`\n]+`")
	mention = regexp.MustCompile(`(^|[^\w&;])@\w`)
)

// Whatever a field of a run says, in every format it is a text and nothing else.
func TestAttacks(t *testing.T) {
	plain := attacked(t, "x")
	views := make([]reports.View, len(attack.Texts))
	for i, text := range attack.Texts {
		views[i] = attacked(t, text)
	}
	for _, format := range reports.Formats() {
		read := readers[format.Name]
		if read == nil {
			t.Errorf("%s: no reader, in the table readers, that refuses what is not a text", format.Name)
			continue
		}
		render := func(v reports.View) (string, int, error) {
			var b strings.Builder
			var w io.Writer = terminal.NewSanitizer(&b, 0)
			if !format.Plain {
				w = &b
			}
			if err := format.Write(w, v); err != nil {
				return "", 0, err
			}
			shape, err := read(b.String())
			return b.String(), shape, err
		}
		_, want, err := render(plain)
		if err != nil {
			t.Errorf("%s: %v", format.Name, err)
			continue
		}
		for i, text := range attack.Texts {
			if testing.Short() && i%4 != 0 {
				continue
			}
			if _, shape, err := render(views[i]); err != nil || shape != want {
				t.Errorf("%s of %.40q: shape %d, want %d: %v", format.Name, text, shape, want, err)
			}
		}
	}
}

// The same of what a compiler and a checker say.
func TestAttacksOfDiagnostics(t *testing.T) {
	for _, text := range attack.Texts {
		var d diagnostics.Diagnostic
		attack.Fill(&d)
		d.Severity = "error"
		attack.Spread(&d, func(s string) string { return s + text }, d.Severity)
		for _, format := range diagnostics.Formats() {
			var b strings.Builder
			var out io.Writer = terminal.NewSanitizer(&b, 0)
			if format == diagnostics.GitHub {
				out = &b
			}
			w := diagnostics.NewWriter(out, diagnostics.Style{Format: format, Tool: "t"})
			if err := errors.Join(w.Write([]diagnostics.Diagnostic{d},
				func(string) (string, bool) { return text + "\n" + text, true }), w.Close()); err != nil {
				t.Fatal(err)
			}
			err := harmlessText(b.String())
			switch format {
			case diagnostics.JSON, diagnostics.SARIF:
				if !json.Valid([]byte(b.String())) {
					err = errors.New("no JSON")
				}
			case diagnostics.GitHub:
				_, err = readers["github"](b.String())
			default:
				_, err = readers["text"](b.String())
			}
			if err != nil {
				t.Errorf("%s of %.40q: %v", format, text, err)
			}
		}
	}
}

// Spread and Fill leave nothing out: a text that they did not reach would be no test.
func TestAttacksReachEverything(t *testing.T) {
	v := attacked(t, "\x01")
	text, err := json.Marshal(v.Results[5])
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	var missed []string
	walkTexts("", members, func(name, s string) {
		s = strings.TrimSuffix(s, ":1") // the line of a position
		if !strings.HasSuffix(s, "\x01") && name != ".status" && !strings.HasSuffix(name, "clock") &&
			!(strings.HasPrefix(name, ".forecast.") && strings.HasSuffix(name, ".bound")) &&
			!strings.HasSuffix(name, "expires") {
			missed = append(missed, name+"="+s)
		}
	})
	if diff := cmp.Diff([]string(nil), missed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// walkTexts visits the texts of a JSON value.
func walkTexts(name string, v any, f func(name, s string)) {
	switch v := v.(type) {
	case string:
		f(name, v)
	case []any:
		for _, e := range v {
			walkTexts(name, e, f)
		}
	case map[string]any:
		for key, e := range v {
			walkTexts(name+"."+key, e, f)
		}
	}
}
