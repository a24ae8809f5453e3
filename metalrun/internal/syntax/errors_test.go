package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The format of testdata/errors is described in testdata/README.

// expectation is one ERROR comment: a pattern and where it must match.
type expectation struct {
	pos     Pos
	pattern string
}

var errorComment = regexp.MustCompile(`(?://|/\*) ERROR(-EOF|-AFTER)? "((?:[^"\\]|\\.)*)"`)

// expectations finds the ERROR comments of a chunk.
func expectations(name, text string) []expectation {
	toks := scan(name, text, len(text), func(*Error) {})
	var list []expectation
	for i, line := range strings.Split(text, "\n") {
		for _, m := range errorComment.FindAllStringSubmatchIndex(line, -1) {
			e := expectation{pattern: line[m[4]:m[5]]}
			var after Pos
			at := Pos{name, int32(i + 1), int32(m[0] + 1)}
			for _, t := range toks {
				if t.Pos.Line < at.Line || t.Pos.Line == at.Line && t.Pos.Col < at.Col {
					e.pos, after = t.Pos, t.Pos
					after.Col += int32(len(t.Text))
				}
			}
			if m[2] >= 0 {
				e.pos = map[string]Pos{"-EOF": endOf(name, text), "-AFTER": after}[line[m[2]:m[3]]]
			}
			list = append(list, e)
		}
	}
	return list
}

// mismatches compares the errors of a chunk with what its comments expect.
func mismatches(name, text string, errs ErrorList) []string {
	want := expectations(name, text)
	var bad []string
	for _, e := range errs {
		found := false
		for i, w := range want {
			rx, err := regexp.Compile(w.pattern)
			if err != nil {
				return []string{fmt.Sprintf("%v: %v", w.pos, err)}
			}
			if w.pos == e.Pos && rx.MatchString(e.Code+": "+e.Msg) {
				want = append(want[:i:i], want[i+1:]...)
				found = true
				break
			}
		}
		if !found {
			bad = append(bad, fmt.Sprintf("%v: got unexpected %s: %s", e.Pos, e.Code, e.Msg))
		}
	}
	for _, w := range want {
		bad = append(bad, fmt.Sprintf("%v: got no error, want %q", w.pos, w.pattern))
	}
	return bad
}

// chunks splits a file at its "---" lines. Each chunk is padded with empty
// lines, so that its positions are those of the file.
func chunks(text string) []string {
	var list []string
	line := 0
	for _, c := range strings.Split(text, "\n---\n") {
		list = append(list, strings.Repeat("\n", line)+c)
		line += strings.Count(c, "\n") + 2
	}
	return list
}

func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.metal")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in testdata/errors")
	}
	codes := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range chunks(string(text)) {
			name := filepath.Base(file)
			_, errs := Parse(name, map[string]string{name: c}, Config{})
			for _, m := range mismatches(name, c, errs) {
				t.Error(m)
			}
			for _, e := range errs {
				codes[e.Code] = true
			}
		}
	}
	for _, code := range []string{codeIllegalChar, codeUnterminated, codeBadNumber, codeBadChar, codeDirective,
		codeInclude,
		codeMacro, codeCondition, codeConditional, codeErrorMessage, codePragma, codeLimit, codeExpected,
		codeExpectedExpr,
		codeExpectedType, codeExpectedName, codeExpectedStmt, codeUnknownType, codeTypename, codeTemplate,
		codeSpecifier,
		codeNotMetalType,
		codeNotMetal, codeUnsupported, codePragmaPosition, codeMisplaced} {
		if !codes[code] {
			t.Errorf("no program in testdata/errors has an error of code %s", code)
		}
	}
}

// TestErrorHarness holds the harness itself to its promise: it fails for an
// unexpected error, a missing one, one elsewhere and one of another kind.
func TestErrorHarness(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"float x = 1;", 0},
		{"float x = ; // ERROR \"expected-expression: expected expression, got .;.\"", 0},
		{"float x = ;", 1},
		{"float x = 1; // ERROR \"expected\"", 1},
		{"float x /* ERROR \"expected-expression\" */ = ;", 2},
		{"float x = ; // ERROR \"expected-token\"", 2},
		{"void f() { /* ERROR-EOF \"got end of file\" */", 0},
		{"\nfloat x = /* a */ ; /* ERROR \"expression\" */ float y = ; // ERROR \"expression\"", 0},
	} {
		_, errs := Parse("x.metal", map[string]string{"x.metal": c.text}, Config{})
		if got := mismatches("x.metal", c.text, errs); len(got) != c.want {
			t.Errorf("%s\ngot %d mismatches %q, want %d", c.text, len(got), got, c.want)
		}
	}
}

func TestErrorsAreSortedAndCapped(t *testing.T) {
	text := "void f() {\n" + strings.Repeat("x = ;\n", 100) + "}\n"
	_, errs := Parse("x.metal", map[string]string{"x.metal": text}, Config{})
	if len(errs) != maxErrors {
		t.Fatalf("got %d errors, want %d", len(errs), maxErrors)
	}
	for i := range errs[1:] {
		if errs[i].Pos.Line >= errs[i+1].Pos.Line {
			t.Errorf("%v before %v", errs[i], errs[i+1])
		}
	}
}
