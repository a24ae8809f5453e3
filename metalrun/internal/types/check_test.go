package types

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// The programs of testdata/bad are ill-formed. Every fault has, at the end of
// its line, a comment
//
//	// ERROR COL CODE "REGEXP"
//
// with the column where the front end has to report it (in bytes, from 1), the
// code, and a pattern that the message has to match. Several faults of one
// line follow each other in the one comment, "ERROR" before each. A fault without a comment
// and a comment without a fault fail the test. testdata/good holds programs
// without faults.

// expectation is one fault that a program announces.
type expectation struct {
	Line, Col int32
	Code      string
	pattern   *regexp.Regexp
}

var errorComment = regexp.MustCompile(`ERROR (\d+) ([a-z-]+) "([^"]*)"`)

// expectations reads the ERROR comments of a program.
func expectations(t *testing.T, name, text string) []expectation {
	t.Helper()
	var list []expectation
	for i, line := range strings.Split(text, "\n") {
		_, comment, ok := strings.Cut(line, "// ERROR")
		if !ok {
			continue
		}
		found := errorComment.FindAllStringSubmatch("ERROR"+comment, -1)
		if strings.Count("ERROR"+comment, "ERROR") != len(found) {
			t.Errorf("%s:%d: malformed ERROR comment", name, i+1)
		}
		for _, m := range found {
			col, err := strconv.Atoi(m[1])
			if err != nil {
				t.Errorf("%s:%d: %v", name, i+1, err)
			}
			pattern, err := regexp.Compile(m[3])
			if err != nil {
				t.Errorf("%s:%d: %v", name, i+1, err)
				continue
			}
			list = append(list, expectation{int32(i + 1), int32(col), m[2], pattern})
		}
	}
	return list
}

// check runs the front end over one file.
func check(name, text string, version int) (*hir.Program, syntax.ErrorList) {
	f, errs := syntax.Parse(name, map[string]string{name: text}, syntax.Config{Version: version})
	if len(errs) > 0 {
		return nil, Recovered(f, errs, Config{Version: version})
	}
	return Check(f, Config{Version: version})
}

// matched pairs the reported errors with what was expected and describes whatever is left over.
func matched(errs syntax.ErrorList, want []expectation) []string {
	var faults []string
	used := make([]bool, len(want))
next:
	for _, e := range errs {
		for i, w := range want {
			if !used[i] && w.Line == e.Pos.Line && w.Col == e.Pos.Col && w.Code == e.Code &&
				w.pattern.MatchString(e.Msg) {
				used[i] = true
				continue next
			}
		}
		faults = append(faults, fmt.Sprintf("unexpected: %s [%s]", e, e.Code))
	}
	for i, w := range want {
		if !used[i] {
			faults = append(faults, fmt.Sprintf("missing: line %d column %d: %s %q", w.Line, w.Col, w.Code, w.pattern))
		}
	}
	return faults
}

func testFiles(t testing.TB, pattern string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	files := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(text)
	}
	return files
}

func TestIllFormedPrograms(t *testing.T) {
	faults := 0
	for path, text := range testFiles(t, "testdata/bad/*.metal") {
		name := filepath.Base(path)
		want := expectations(t, name, text)
		faults += len(want)
		t.Run(name, func(t *testing.T) {
			if len(want) == 0 {
				t.Errorf("%s announces no fault", path)
			}
			p, errs := check(name, text, 310)
			if p != nil {
				errs = append(errs, p.Warnings...)
			}
			for _, f := range matched(errs, want) {
				t.Error(f)
			}
		})
	}
	if faults < 150 {
		t.Errorf("the ill-formed programs have %d faults, want at least 150", faults)
	}
}

func TestConstantPrograms(t *testing.T) {
	for path, text := range testFiles(t, "testdata/good/*.metal") {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			_, errs := check(name, text, 310)
			for _, e := range errs {
				t.Errorf("%s [%s]", e, e.Code)
			}
		})
	}
}

// The harness itself has to see a wrong line, column, code, message, a missing
// and an unexpected error.
func TestExpectations(t *testing.T) {
	at := func(line, col int32, code, msg string) *syntax.Error {
		return &syntax.Error{Pos: syntax.Pos{File: "x.metal", Line: line, Col: col}, Code: code, Msg: msg}
	}
	want := expectations(t, "x.metal", "int a;\nint b; // ERROR 5 some-code \"b is .*\" ERROR 6 other \"c\"\n")
	if len(want) != 2 {
		t.Fatalf("got %d expectations, want 2", len(want))
	}
	good := syntax.ErrorList{at(2, 5, "some-code", "b is bad"), at(2, 6, "other", "abc")}
	if faults := matched(good, want); len(faults) > 0 {
		t.Errorf("matching errors are refused: %v", faults)
	}
	for i, bad := range []*syntax.Error{at(1, 5, "some-code", "b is bad"), at(2, 4, "some-code", "b is bad"),
		at(2, 5, "code", "b is bad"), at(2, 5, "some-code", "a")} {
		if faults := matched(syntax.ErrorList{bad, good[1]}, want); len(faults) != 2 {
			t.Errorf("case %d: got %d faults, want an unexpected and a missing error: %v", i, len(faults), faults)
		}
	}
}

// versionCases are programs that a later version of the language accepts.
var versionCases = []struct {
	version  int
	text     string
	wantCode string // of the one error, "" for none
}{
	{300, "kernel void k(device bfloat *p [[buffer(0)]]) {}", codeLanguageVersion},
	{310, "kernel void k(device bfloat *p [[buffer(0)]]) {}", ""},
	{220, "kernel void k(device float *p [[buffer(0)]]) { simdgroup_float8x8 m; }", codeLanguageVersion},
	{230, "kernel void k(device float *p [[buffer(0)]]) { simdgroup_float8x8 m; }", ""},
	{240, "kernel void k(device atomic_float *p [[buffer(0)]]) {}", codeLanguageVersion},
	{300, "kernel void k(device atomic_float *p [[buffer(0)]]) {}", ""},
	{230, "float f(float x) { return simd_shuffle_and_fill_up(x, x, 1); }", codeLanguageVersion},
	{240, "float f(float x) { return simd_shuffle_and_fill_up(x, x, 1); }", ""},
	{310, "void f() { atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst); }", codeLanguageVersion},
	{400, "int f() { int a = 1; return [](int x = a) { return x; }(); }", codeDefaultArgument},
	{400, "int f(int n) { return [](int x = n + 1) { return x; }(); }", codeDefaultArgument},
	{400, "int f(int n) { const int a = 1; return [](int x = a + int(sizeof(n))) { return x; }(); }", ""},
	{320, "void f() { atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst); }", ""},
	{400, "void f(threadgroup atomic_float *p) { atomic_fetch_add_explicit(p, 1.0f, memory_order_relaxed); }",
		codeNoBuiltin},
	{410, "void f(threadgroup atomic_float *p) { atomic_fetch_add_explicit(p, 1.0f, memory_order_relaxed); }", ""},
}

func TestLanguageVersions(t *testing.T) {
	for _, c := range versionCases {
		_, errs := check("v.metal", "#include <metal_stdlib>\nusing namespace metal;\n"+c.text+"\n", c.version)
		var got, want []string
		for _, e := range errs {
			got = append(got, e.Code)
		}
		if c.wantCode != "" {
			want = []string{c.wantCode}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("Metal %d: %s: codes (-want +got)\n%s", c.version, c.text, d)
		}
	}
}
