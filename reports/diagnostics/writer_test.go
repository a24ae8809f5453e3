package diagnostics

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/internal/printable"
	"metalconform/metalrun"
)

// of are the errors of a source with an include, and the texts of its files.
func of(t *testing.T, files map[string]string) ([]Diagnostic, func(string) (string, bool)) {
	t.Helper()
	src := metalrun.Source{Name: "k.metal", Files: files}
	_, err := metalrun.Analyse(src, metalrun.CompileOptions{})
	var list metalrun.Diagnostics
	if !errors.As(err, &list) {
		t.Fatalf("got %v, want diagnostics", err)
	}
	return Of(list), src.Text
}

func write(t *testing.T, style Style, list []Diagnostic, text func(string) (string, bool)) string {
	t.Helper()
	var b strings.Builder
	w := NewWriter(&b, style)
	if err := errors.Join(w.Write(list, text), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestIncludes(t *testing.T) {
	list, text := of(t, map[string]string{
		"k.metal": "#include \"a.h\"\n", "a.h": "\n#include \"b.h\"\n", "b.h": "int f(int x) { return x + yy; }\n",
	})
	want := `In file included from a.h:2,
                 from k.metal:1:
b.h:1:27: error: use of undeclared identifier 'yy'
  int f(int x) { return x + yy; }
                            ^~
`
	if d := cmp.Diff(want, write(t, Style{Format: Text}, list, text)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// What is wrong in a file that two units include is told once, and as JSON for both.
func TestIncludedTwice(t *testing.T) {
	files := map[string]string{"k.metal": "#include \"a.h\"\nint g() { return zz; }\n",
		"a.h": "int f(int x) { return x + yy; }\n"}
	list, text := of(t, files)
	for format, want := range map[Format]int{Text: 1, GitHub: 1, SARIF: 1, JSON: 2} {
		var b strings.Builder
		w := NewWriter(&b, Style{Format: format})
		if err := errors.Join(w.Write(list, text), w.Write(list, text), w.Close()); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "identifier 'yy'"); n != want {
			t.Errorf("%s: told %d times, want %d:\n%s", format, n, want, &b)
		}
		if n := strings.Count(b.String(), "identifier 'zz'"); n != 2 {
			t.Errorf("%s: what is wrong in the units themselves is told %d times, want 2:\n%s", format, n, &b)
		}
		if got := strings.Contains(b.String(),
			"k.metal:1: note: a.h, which is included here, is to be blamed as above\n"); got != (format == Text) {
			t.Errorf("%s: note on the second unit: %v", format, got)
		}
	}
}

// One cause is shown a few times, and then counted; another one is not hidden.
func TestLimit(t *testing.T) {
	list, text := of(t, map[string]string{
		"k.metal": "void f() {\n" + strings.Repeat("yy = 1;\n", 6) + "zz = 1;\n}\n",
	})
	got := write(t, Style{Format: Text, Limit: 2}, list, text)
	if n := strings.Count(got, "identifier 'yy'\n"); n != 2 {
		t.Errorf("one cause is shown %d times, want 2:\n%s", n, got)
	}
	for _, want := range []string{"k.metal:8:1: error: use of undeclared identifier 'zz'",
		"note: 4 more like \"use of undeclared identifier 'yy'\", at lines 4, 5, 6, 7"} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q:\n%s", want, got)
		}
	}
	if n := strings.Count(write(t, Style{Format: Text}, list, text), "identifier 'yy'"); n != 6 {
		t.Errorf("without a limit %d are shown, want 6", n)
	}
	if n := strings.Count(write(t, Style{Format: JSON, Limit: 2}, list, text), "identifier 'yy'"); n != 6 {
		t.Errorf("as JSON %d are written, want 6", n)
	}
}

func TestColour(t *testing.T) {
	list, text := of(t, map[string]string{"k.metal": "int x;\n"})
	if got := write(t, Style{Format: Text}, list, text); strings.Contains(got, "\x1b") {
		t.Errorf("escape sequences without colour: %q", got)
	}
	if got := write(t, Style{Format: Text, Colour: true}, list, text); !strings.Contains(got, red+"error:"+plain) {
		t.Errorf("no colour: %q", got)
	}
}

// What a stranger writes cannot speak to a terminal or to a workflow.
func TestStrangers(t *testing.T) {
	at := metalrun.Position{File: "a\x1b]0;b\n::error::c.metal", Line: 1, Col: 3}
	d := Diagnostic{Severity: Error, Detail: "x\x07y"}
	d.Position, d.Code, d.Message = at, "code", "got \"\x1b[31m\n::error::\u202e\x9b\xff\""
	text := func(string) (string, bool) { return "ab\x1b[2J\u202ecd", true }
	for _, format := range []Format{Text, GitHub} {
		got := write(t, Style{Format: format}, []Diagnostic{d}, text)
		for _, bad := range []string{"\x1b", "\x07", "\u202e", "\u009b", "\xff", "\n::error::"} {
			if strings.Contains(strings.TrimPrefix(got, "::error "), bad) {
				t.Errorf("%s has %q: %q", format, bad, got)
			}
		}
	}
	if got, want := printable.Row("a\nb\x1b\u202eé\xff\t"), `a\nb\x1b\u202eé\xff`+"\t"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnnotations(t *testing.T) {
	list, text := of(t, map[string]string{"k.metal": "int f(int a) { return 50 % f; }\nint f(int b) { return 1; }\n"})
	got := write(t, Style{Format: GitHub}, list[1:], text)
	want := "::error file=k.metal,line=2,col=5,title=conform%3A redefined::redefinition of 'f'%0Anote: k.metal:1:5: " +
		"previous definition is here\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// The log has what the schema of SARIF 2.1.0 requires, and columns count characters.
func TestSARIF(t *testing.T) {
	list, text := of(t, map[string]string{"k.metal": "#include \"b.h\"\n", "b.h": "int f() { return /* é */ yy; }\n"})
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			ColumnKind string
			Results    []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
			}
		}
	}
	got := write(t, Style{Format: SARIF, Tool: "v1"}, list, text)
	if err := json.Unmarshal([]byte(got), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || !strings.HasSuffix(log.Schema, "sarif-schema-2.1.0.json") || len(log.Runs) != 1 ||
		log.Runs[0].Tool.Driver.Name != "conform" {
		t.Fatalf("no log of SARIF 2.1.0 with one run: %s", got)
	}
	run := log.Runs[0]
	var found []string
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || r.Level != "error" || r.Message.Text == "" {
			t.Errorf("result %+v", r)
		}
		found = append(found, r.RuleID)
	}
	if at := run.Results[0].Locations[0].PhysicalLocation; at.ArtifactLocation.URI != "b.h" ||
		at.Region.StartLine != 1 || at.Region.StartColumn != 26 || at.Region.EndColumn != 28 {
		t.Errorf("got %+v, want yy at 26 to 28 of b.h", at)
	}
	if len(run.Results) != 1 || run.ColumnKind != "unicodeCodePoints" {
		t.Fatalf("results %v, columns count %s", found, run.ColumnKind)
	}
	empty := write(t, Style{Format: SARIF}, nil, text)
	if !strings.Contains(empty, `"results": []`) {
		t.Errorf("a log of nothing has no results: %s", empty)
	}
}
