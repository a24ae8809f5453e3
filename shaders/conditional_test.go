package shaders

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

var (
	constants   = regexp.MustCompile(`(?m)^(?:constexpr constant|constant constexpr|constant) \w+ (\w+) =`)
	comments    = regexp.MustCompile(`//[^\n]*`)
	conditional = regexp.MustCompile(`\?[^?;{}]*:[^?;{}]*`)
)

// mixed lists the conditionals of a text one arm of which is a constant by its name alone. If the other arm is an
// object of another address space, some compilers of Metal call the conditional ambiguous: float(LOWEST) is a value
// for all.
func mixed(text string) (list []string) {
	text = comments.ReplaceAllString(text, "")
	var names []string
	for _, m := range constants.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	if names == nil {
		return nil
	}
	arm := regexp.MustCompile(`^\?\s*(?:` + strings.Join(names, "|") + `)\s*:|:\s*(?:` + strings.Join(names, "|") +
		`)\s*(?:[;,)]|$)`)
	for _, c := range conditional.FindAllString(text, -1) {
		if arm.MatchString(c) {
			list = append(list, c)
		}
	}
	return list
}

func TestNoMixedConditionals(t *testing.T) {
	names, err := fs.Glob(FS, "*.metal")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(FS, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range mixed(string(text)) {
			t.Errorf("%s: %s: name the type of the constant, as in float(LOWEST)", name, c)
		}
	}
	const head = "constant constexpr float LOWEST = -1;\n"
	for text, want := range map[string]int{
		"x = a ? LOWEST : b[i];": 1, "x = f(a ? b : LOWEST);": 1, "x = a ? float(LOWEST) : b;": 0,
		"x = a ? LOWEST + 1 : b;": 0, "x = b > LOWEST ? a : c;": 0, "// a ? LOWEST : b\n": 0,
	} {
		if got := mixed(head + text); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}
