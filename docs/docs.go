// Package docs holds the manual: one Markdown page a topic, embedded in the program, and the same text that readers
// of the repository see. [Render] shows a page on a terminal.
//
// The rule of the layer: pages are data. The package imports the standard library only, and knows nothing of commands.
// Pages for developers (architecture, evidence, passes, packages) lie in the same directory and are not embedded.
package docs

import (
	"embed"
	"slices"
	"strings"
)

//go:embed start.md specifications.md shapes.md verdicts.md checks.md exact.md math.md packs.md gate.md programs.md
//go:embed mac.md performance.md limits.md
var pages embed.FS

// Topic is a page of the manual.
type Topic struct {
	Name, Alias string // Alias may be empty
	Summary     string // one line without a full stop
}

var topics = []Topic{
	{"start", "", "from nothing to a verdict; the commands"},
	{"specifications", "spec", "what a kernel takes and computes; all functions"},
	{"shapes", "inputs", "points of a sweep, arguments, inputs, arrays in files"},
	{"verdicts", "", "what PASS and FAIL mean; bounds; conform.toml"},
	{"checks", "check", "races and the like; check any source; mutate"},
	{"exact", "blame", "exact arithmetic tells another formula from rounding"},
	{"math", "", "safe, relaxed and fast; what a device may choose"},
	{"packs", "pack", "kernels of candle, ggml, mlx and mlx-native"},
	{"gate", "ci", "pull requests, reports, comparisons, history"},
	{"programs", "json", "judge what programs write; PyTorch; JSON formats"},
	{"mac", "device", "run on a GPU, measure it, judge elsewhere"},
	{"performance", "bench", "time kernels; forecast their time on a GPU"},
	{"limits", "security", "what is refused; limits by name; untrusted input"},
}

// Topics lists the pages in the order in which a reader meets them.
func Topics() []Topic { return slices.Clone(topics) }

// Text is the Markdown of a page, by its name or alias.
func Text(name string) (string, bool) {
	i := slices.IndexFunc(topics, func(t Topic) bool { return name != "" && (t.Name == name || t.Alias == name) })
	if i < 0 {
		return "", false
	}
	text, err := pages.ReadFile(topics[i].Name + ".md")
	if err != nil {
		panic(err) // the list above and the embedded files differ
	}
	return string(text), true
}

// Near lists names of topics that somebody who wrote name may have meant, the nearest first.
func Near(name string) []string {
	type guess struct {
		topic    string
		distance int
	}
	var guesses []guess
	for _, t := range topics {
		d := distance(name, t.Name)
		if t.Alias != "" {
			d = min(d, distance(name, t.Alias))
		}
		if len(name) > 1 && (strings.HasPrefix(t.Name, name) || strings.HasPrefix(name, t.Name)) {
			d = 0
		}
		if d <= max(1, len(name)/3) {
			guesses = append(guesses, guess{t.Name, d})
		}
	}
	slices.SortStableFunc(guesses, func(a, b guess) int { return a.distance - b.distance })
	var names []string
	for _, g := range guesses {
		names = append(names, g.topic)
	}
	return names
}

// distance is Levenshtein's: how many letters have to be inserted, removed or replaced.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
