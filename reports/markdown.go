package reports

import (
	"fmt"
	"io"
	"strings"

	"metalconform/internal/printable"
)

// SummaryLimit is what GitHub takes of a job summary, in bytes: a longer one is
// not shown at all.
const SummaryLimit = 1 << 20

// Markdown writes a summary for a page: the verdict, what the run was, failures
// with the worst first, what has changed, and the table. What goes beyond the
// limit is cut from the end, by whole failures and kernels, and counted.
func Markdown(w io.Writer, v View) error {
	t := v.Table()
	p := &page{limit: v.Limit}
	p.write(head(v, t))
	var items []string
	for _, q := range t.failing() {
		items = append(items, problemItem(q))
	}
	p.section("Not a matter of one case", "", items, "", "of these")
	items = nil
	for _, f := range t.Failures {
		items = append(items, failureItem(f))
	}
	p.section("Failures", "", items, "", "failures of other kinds")
	items = nil
	for _, n := range t.Warnings {
		items = append(items, fmt.Sprintf("- %s: %s (%s)\n", Inline(n.Kernel), Inline(n.Text), printable.Count(n.Cases, "case")))
	}
	p.section("Warnings", "", items, "", "warnings")
	if v.Against != nil {
		p.write("\n### Against " + Inline(v.Against.against()) + "\n")
		p.changes(v.Against)
	}
	items = nil
	for _, r := range t.Rows {
		items = append(items, kernelRow(t, r))
	}
	heads := t.heads()
	for i, h := range heads {
		heads[i] = Inline(h)
	}
	rule := strings.Repeat(" ---: |", len(heads))
	p.section("Kernels", "| kernel | cases | "+strings.Join(heads, " | ")+" | time | verdict |\n| --- | ---: |"+rule+
		" ---: | --- |\n", items, "", "kernels")
	p.modesSection(t.Modes)
	items = nil
	for _, s := range t.Skips {
		items = append(items,
			fmt.Sprintf("- skip %s: %s (%s)\n", Inline(s.Kernel), Inline(s.Reason), printable.Count(s.Cases, "case")))
	}
	for _, text := range t.known() {
		items = append(items, fmt.Sprintf("- known %s\n", Inline(text)))
	}
	for _, n := range t.Notes {
		items = append(items, fmt.Sprintf("- %s: %s (%s)\n", Inline(n.Kernel), Inline(n.Text), printable.Count(n.Cases, "case")))
	}
	p.section("Notes", "<details><summary>"+printable.Count(len(items), "note")+"</summary>\n\n", items, "\n</details>\n",
		"notes")
	if p.full {
		fmt.Fprintf(&p.text, "\nThe rest is cut to keep to %d bytes.\n", p.limit)
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

// changes appends the groups of a comparison.
func (p *page) changes(c *Comparison) {
	for _, g := range c.groups() {
		lines := make([]string, len(g.lines))
		for i, line := range g.lines {
			lines[i] = "- " + Inline(line) + "\n"
		}
		p.section(fmt.Sprintf("%s: %d", capital(g.title), len(g.lines)), "", lines, "", "of these")
	}
}

// page is Markdown within a limit.
type page struct {
	text  strings.Builder
	limit int // bytes; 0: none
	full  bool
}

// reserve is what a page keeps free for the lines that say what was cut.
const reserve = 200

// write appends text if it fits. After the first that does not, nothing does.
func (p *page) write(text string) bool {
	if p.full || p.limit > 0 && p.text.Len()+len(text)+reserve > p.limit {
		p.full = true
		return false
	}
	p.text.WriteString(text)
	return true
}

// section appends items under a title, between what opens and what closes them,
// and says how many did not fit. It appends nothing if there are none.
func (p *page) section(title, open string, items []string, end, what string) {
	if len(items) == 0 || !p.write(fmt.Sprintf("\n### %s\n\n%s", title, open)) {
		return
	}
	for i, item := range items {
		if !p.write(item) {
			fmt.Fprintf(&p.text, "%s\nand %d more %s\n", end, len(items)-i, what)
			return
		}
	}
	p.text.WriteString(end)
}

// head is the verdict and what the run was.
func head(v View, t Table) string {
	var b strings.Builder
	planned := v.shard().Cases
	fmt.Fprintf(&b, "## Conform: %s\n\n%s\n\n", Inline(DefaultStyle.outcome(t, planned)),
		Inline(scope(t, planned, v.Elapsed())))
	for _, line := range about(v.Header) {
		fmt.Fprintf(&b, "%s  \n", Inline(line))
	}
	for _, text := range v.flaws() {
		fmt.Fprintf(&b, "\n> [!WARNING]\n> %s\n", strings.ReplaceAll(Inline(text), "\n", "\n> "))
	}
	return b.String()
}

// problemItem is a problem that opens if there is more to it than a line.
func problemItem(q Problem) string {
	headline, more, _ := strings.Cut(q.Whole(), "\n")
	if more == "" {
		return fmt.Sprintf("- <b>FAIL</b> %s\n", summaryLine(headline))
	}
	fence := fenceFor(more)
	return fmt.Sprintf("<details><summary><b>FAIL</b> %s</summary>\n\n%s\n%s\n%s\n\n</details>\n",
		summaryLine(headline), fence, more, fence)
}

// fenceFor is a fence that no line of a text closes.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// failureItem is a failure that opens.
func failureItem(f Failure) string {
	text := f.Text()
	if f.Also > 0 {
		text += fmt.Sprintf("\nand the same in %s of %s", printable.Count(f.Also, "more case"), f.Kernel)
	}
	fence := fenceFor(text + f.Replay)
	return fmt.Sprintf("<details><summary><b>%s</b> %s</summary>\n\n%s\n%s\n%s\n\nRepeat:\n\n%s\n%s\n%s\n\n"+
		"</details>\n",
		DefaultStyle.verdict(f.Status), summaryLine(f.Case), fence, text, fence, fence, f.Replay, fence)
}

// kernelRow is a row of the table.
func kernelRow(t Table, r Row) string {
	verdict := DefaultStyle.verdict(r.Status())
	if n := r.Count[r.Status()]; n < r.Cases() {
		verdict += fmt.Sprintf(" (%d)", n)
	}
	return fmt.Sprintf("| %s | %d | %s | %s | %s |\n", Inline(r.Kernel), r.Cases(), strings.Join(t.values(r), " | "),
		r.time(), verdict)
}

// Inline escapes what Markdown would take for a mark.
func Inline(s string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">",
		"&gt;", "&", "&amp;", "|", `\|`, "#", `\#`, "~", `\~`, "\n", " ", "\r", " ", "@",
		mentionless).Replace(printable.Text(s))
}

// capital is a title with a capital.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
