package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestTopics: at most thirteen, each with a page that begins with a title, and no two with one name.
func TestTopics(t *testing.T) {
	seen := map[string]bool{}
	if len(Topics()) > 13 {
		t.Errorf("%d topics", len(Topics()))
	}
	for _, topic := range Topics() {
		for _, name := range []string{topic.Name, topic.Alias} {
			if seen[name] && name != "" {
				t.Errorf("%s means two topics", name)
			}
			seen[name] = true
			if text, ok := Text(name); ok != (name != "") || ok && !strings.HasPrefix(text, "# ") {
				t.Errorf("topic %q: %v, %.40q", name, ok, text)
			}
		}
		if n := utf8.RuneCountInString(topic.Summary); n == 0 || n > 56 || strings.HasSuffix(topic.Summary, ".") {
			t.Errorf("topic %s: summary of %d characters: %q", topic.Name, n, topic.Summary)
		}
	}
	if _, ok := Text("passes"); ok {
		t.Error("a page for developers is a topic")
	}
}

// TestReferences: what a page calls a topic is one, and pages of the repository that it names are there.
func TestReferences(t *testing.T) {
	found := 0
	for _, topic := range Topics() {
		text, _ := Text(topic.Name)
		for _, m := range regexp.MustCompile("[Tt]opic `([a-z]+)`").FindAllStringSubmatch(text, -1) {
			found++
			if _, ok := Text(m[1]); !ok {
				t.Errorf("%s: there is no topic %s", topic.Name, m[1])
			}
		}
		for _, m := range regexp.MustCompile("`((?:docs|examples)/[a-z./]+)`").FindAllStringSubmatch(text, -1) {
			found++
			if _, err := os.Stat("../" + m[1]); err != nil {
				t.Errorf("%s: %v", topic.Name, err)
			}
		}
	}
	if found < 20 {
		t.Errorf("%d references", found)
	}
}

// TestNear takes names with a slip.
func TestNear(t *testing.T) {
	for name, want := range map[string][]string{
		"verdict": {"verdicts"}, "specification": {"specifications"}, "gates": {"gate"}, "mat": {"math", "mac"},
		"prefomance": {"performance"}, "": nil, "banana": nil, "x": nil,
	} {
		if got := Near(name); !slices.Equal(got, want) {
			t.Errorf("near %q: %v, want %v", name, got, want)
		}
	}
}

// TestRender has one of everything.
func TestRender(t *testing.T) {
	const page = "# A *title*\n\n<!-- no text -->\nOne `a * b * c` word after another makes a\n" +
		"paragraph [here](there.md).\n\n- an entry that is long enough to wrap\n- two\n  lines\n\n" +
		"```sh\nrun  this -with a long line of code\n\tand this\n```\n## Part\n    indented  code\n\n    more\n\n" +
		"### Small\n| a | b |\n| --- | ---: |\n| `x\\|y` | what it means in many words |\n"
	const want = `A title
=======

One a * b * c word after
another makes a paragraph
here.

  - an entry that is long
    enough to wrap
  - two lines

    run  this -with a long
        line of code
        and this

Part
----
    indented  code

    more

Small
a    b
-    -
x|y  what it means in many
     words
`
	if diff := cmp.Diff(want, Render(page, 26)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRenderTables: a table that is too narrow for columns becomes paragraphs, and one without a head has none.
func TestRenderTables(t *testing.T) {
	const page = "| one | two | three |\n| --- | --- | --- |\n" +
		"| a rather long first cell | a rather long second cell | a rather long third cell |\n"
	const want = `one
    two; three
a rather long first cell
    a rather long second cell; a rather
    long third cell
`
	if diff := cmp.Diff(want, Render(page, 40)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Render("| | |\n| --- | --- |\n| a | b |\n", 40); got != "a  b\n" {
		t.Errorf("without a head: %q", got)
	}
}

// TestWidths: no page has a line beyond the terminal, and none loses a word.
func TestWidths(t *testing.T) {
	word := regexp.MustCompile(`[\p{L}\p{N}_]+`)
	for _, topic := range Topics() {
		text, _ := Text(topic.Name)
		for _, width := range []int{80, 120} {
			got := Render(text, width)
			for i, l := range strings.Split(got, "\n") {
				if n := utf8.RuneCountInString(l); n > width {
					t.Errorf("%s at %d: line %d has %d columns: %s", topic.Name, width, i+1, n, l)
				}
			}
			if width == 120 {
				have := map[string]bool{}
				for _, w := range word.FindAllString(got, -1) {
					have[w] = true
				}
				for _, l := range strings.Split(text, "\n") {
					if strings.HasPrefix(l, "<!--") || strings.HasPrefix(l, "```") || strings.Contains(l, "](") {
						continue
					}
					for _, w := range word.FindAllString(l, -1) {
						if !have[w] && len(w) < 60 {
							t.Errorf("%s at %d: lost %q of %s", topic.Name, width, w, l)
						}
					}
				}
			}
		}
	}
}

// TestPackages: what the list of packages names is there.
func TestPackages(t *testing.T) {
	text, err := os.ReadFile("packages.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([a-z0-9/]+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 40 {
		t.Fatalf("%d packages", len(named))
	}
	for _, m := range named {
		found := false
		for _, at := range []string{"..", "../metalrun/internal", "../metalrun/internal/simt"} {
			_, err := os.Stat(at + "/" + m[1])
			found = found || err == nil
		}
		if !found {
			t.Errorf("packages.md: there is no package %s", m[1])
		}
	}
}

// TestCommandsInEvidence: tests, benchmarks and fuzz targets that the pages for developers name are there.
func TestCommandsInEvidence(t *testing.T) {
	var functions strings.Builder
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, f := range regexp.MustCompile(`(?m)^func (\w+)\(`).FindAllSubmatch(text, -1) {
			functions.WriteString(" " + string(f[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"evidence.md", "passes.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`-bench '?(\w+)|\b((?:Test|Fuzz)[A-Z]\w+)`).FindAllSubmatch(text, -1) {
			name := string(m[2])
			if name == "" {
				name = "Benchmark" + string(m[1])
			}
			if !strings.Contains(functions.String(), " "+name) {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
	}
}
