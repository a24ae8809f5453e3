package kernels

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// ruleNames head the columns of the rules.
func ruleNames() []string {
	var names []string
	for _, g := range commonRules() {
		names = append(names, g.name)
	}
	return append(names, "Conform, rigorous bound only", "Conform")
}

// writeTable writes rows in Markdown, numbers at the right.
func writeTable(w io.Writer, header []string, rows [][]string) error {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(header)
	ruler := append([]string{"---"}, header[1:]...)
	for i := range ruler[1:] {
		ruler[i+1] = "---:"
	}
	line(ruler)
	for _, r := range rows {
		line(r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// TestRuleNames checks that every rule has a column.
func TestRuleNames(t *testing.T) {
	if n := len(ruleNames()); n != judges || len(commonRules()) != rigorous {
		t.Errorf("%d names for %d rules", n, judges)
	}
}
