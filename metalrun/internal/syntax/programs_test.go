package syntax

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

// programs are the well-formed programs of testdata and the shaders of the
// repository, by path.
func programs(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"testdata/programs/*.metal", "../../../shaders/*.metal"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s", pattern)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all[file] = string(text)
		}
	}
	return all
}

func parseText(t testing.TB, name, text string) *File {
	t.Helper()
	f, errs := Parse(name, map[string]string{name: text}, Config{})
	if errs != nil {
		t.Fatalf("%v", errs)
	}
	return f
}

func printed(t testing.TB, n Node) string {
	t.Helper()
	var b strings.Builder
	if err := Fprint(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for file, text := range programs(t) {
		if !strings.HasPrefix(file, "testdata") {
			continue
		}
		got := printed(t, parseText(t, file, text))
		golden := strings.TrimSuffix(file, ".metal") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", golden, diff)
		}
	}
}

// TestPrintedTreeParsesToItself is the printer's contract.
func TestPrintedTreeParsesToItself(t *testing.T) {
	for file, text := range programs(t) {
		first := parseText(t, file, text)
		source := printed(t, first)
		second, errs := Parse(file, map[string]string{file: source}, Config{})
		if errs != nil {
			t.Errorf("%s, printed: %v", file, errs)
			continue
		}
		if diff := cmp.Diff(dump(first), dump(second)); diff != "" {
			t.Errorf("%s changes when printed (-parsed +printed):\n%s", file, diff)
		}
		if again := printed(t, second); again != source {
			t.Errorf("%s prints differently the second time:\n%s", file, cmp.Diff(source, again))
		}
	}
}

// TestPrintedTokensScanToThemselves is the contract of FprintTokens.
func TestPrintedTokensScanToThemselves(t *testing.T) {
	for file, text := range programs(t) {
		first, errs := Preprocess(file, map[string]string{file: text}, Config{})
		if errs != nil {
			t.Fatal(errs)
		}
		var b strings.Builder
		if err := FprintTokens(&b, first); err != nil {
			t.Fatal(err)
		}
		second, errs := Preprocess(file, map[string]string{file: b.String()}, Config{})
		if errs != nil {
			t.Errorf("%s, printed: %v", file, errs)
			continue
		}
		if diff := cmp.Diff(spelling(first), spelling(second)); diff != "" {
			t.Errorf("%s changes when printed (-first +second):\n%s", file, diff)
		}
	}
}

// spelling is what FprintTokens preserves of tokens.
func spelling(toks []Token) []string {
	list := make([]string, len(toks))
	for i, t := range toks {
		list[i] = t.Kind.String() + " " + t.Text
	}
	return list
}

func TestPositions(t *testing.T) {
	f := parseText(t, "x.metal", `
#define TWICE(x) ((x) + y)
float f(float y) { return TWICE(y \
  * 3); }
`)
	var got []string
	Inspect(f, func(n Node) bool {
		switch n := n.(type) {
		case *BinaryExpr:
			got = append(got, n.Op+" "+n.Pos().String())
		case *NameExpr:
			got = append(got, n.Name.Parts[0].Ident+" "+n.Pos().String())
		case *VarDecl, *FuncDecl, *Param, *BlockStmt:
			got = append(got, n.Pos().String())
		}
		return true
	})
	want := []string{
		"x.metal:3:1", "x.metal:3:9", "x.metal:3:18",
		"+ x.metal:3:27", "* x.metal:4:3", "y x.metal:3:33", "y x.metal:3:27",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("positions (-want +got):\n%s", diff)
	}
}
