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

// Markdown writes a summary for a page: the verdict as the title, the worst causes unfolded below it, and folded what
// else fails, what has changed, and the table. What goes beyond the limit is cut from the end, by whole causes and
// kernels, and counted.
func Markdown(w io.Writer, v View) error {
	t := v.Table()
	p := &page{limit: v.Limit}
	p.write(head(v, t))
	if failing := t.failing(); len(failing) > 0 && (failing[0].Kind == ProblemFile || len(t.Failures) == 0) {
		p.between("\n"+unfoldedProblem(failing[0]), problemItems(failing[1:]), "", "of these")
		p.causes(t.Failures)
	} else {
		p.causes(t.Failures)
		p.section("Failures not tied to a single case", "", problemItems(failing), "", "of these")
	}
	if v.Against != nil {
		p.section("Before and after", "```text\n", v.Against.pictures(), "```\n", "of these")
		summary := summaryLine("Against " + v.Against.against())
		p.folded(summary, "", v.Against.items(), "lines")
	}
	p.tables(v, t)
	if p.full {
		fmt.Fprintf(&p.text, "\nThe rest is cut to keep to %d bytes.\n", p.limit)
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

// mostUnfolded is how many causes are shown without being asked for.
const mostUnfolded = 3

// causes appends the worst causes as they are, and the others folded.
func (p *page) causes(list []Failure) {
	n := min(mostUnfolded, len(list))
	for _, f := range list[:n] {
		if !p.write(unfoldedItem(f)) {
			return
		}
	}
	var items []string
	for _, f := range list[n:] {
		items = append(items, failureItem(f))
	}
	p.folded(printable.Count(len(items), "more cause"), "", items, "causes")
}

// tables appends what there is to look up, folded.
func (p *page) tables(v View, t Table) {
	var items []string
	for _, n := range t.Warnings {
		headline, _, _ := strings.Cut(n.Text, "\n")
		items = append(items, fmt.Sprintf("- %s: %s (%s)\n", Inline(n.Kernel), Inline(headline), n.Extent()))
	}
	p.folded(printable.Count(len(items), "warning"), "", items, "warnings")
	items = nil
	for _, r := range t.Rows {
		items = append(items, kernelRow(t, r))
	}
	heads := t.heads()
	for i, h := range heads {
		heads[i] = Inline(h)
	}
	rule := strings.Repeat(" ---: |", len(heads))
	p.folded(summaryLine(scope(t, v.shard().Cases, v.Elapsed())), strings.Join(aboutItems(v.Header), "")+
		"\n| kernel | cases | "+strings.Join(heads, " | ")+" | time | verdict |\n| --- | ---: |"+rule+
		" ---: | --- |\n", items, "kernels")
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
		items = append(items,
			fmt.Sprintf("- %s: %s (%s)\n", Inline(n.Kernel), Inline(n.Text), printable.Count(n.Cases, "case")))
	}
	p.folded(printable.Count(len(items), "note"), "", items, "notes")
}

// aboutItems say what a run was, a line each.
func aboutItems(h Header) (list []string) {
	for _, line := range about(h) {
		list = append(list, Inline(line)+"  \n")
	}
	return list
}

// items are the lines of the groups of a comparison, the first of each below the group's title.
func (c *Comparison) items() (list []string) {
	for _, g := range c.groups() {
		title := fmt.Sprintf("\n**%s: %d**\n\n", capital(g.title), g.count)
		for _, line := range g.lines {
			list = append(list, title+"- "+Inline(line)+"\n")
			title = ""
		}
	}
	return list
}

// changes appends the groups of a comparison.
func (p *page) changes(c *Comparison) {
	for _, g := range c.groups() {
		lines := make([]string, len(g.lines))
		for i, line := range g.lines {
			lines[i] = "- " + Inline(line) + "\n"
		}
		p.section(fmt.Sprintf("%s: %d", capital(g.title), g.count), "", lines, "", "of these")
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
	if len(items) == 0 {
		return
	}
	p.between(fmt.Sprintf("\n### %s\n\n%s", title, open), items, end, what)
}

// folded appends items that a reader unfolds by a click on the summary, below what opens them. It appends nothing if
// there are none.
func (p *page) folded(summary, open string, items []string, what string) {
	if len(items) == 0 {
		return
	}
	p.between(fmt.Sprintf("\n<details><summary>%s</summary>\n\n%s", summary, open), items, "\n</details>\n", what)
}

// between appends items, and says how many did not fit.
func (p *page) between(open string, items []string, end, what string) {
	if !p.write(open) {
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

// head is the verdict, and what is missing of the results.
func head(v View, t Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Conform: %s\n", Inline(t.Verdict().String()))
	for _, text := range v.lacks() {
		fmt.Fprintf(&b, "\n> [!WARNING]\n> %s\n", strings.ReplaceAll(Inline(text), "\n", "\n> "))
	}
	return b.String()
}

// problemItems are problems, a line each.
func problemItems(list []Problem) (items []string) {
	for _, q := range list {
		items = append(items, problemItem(q))
	}
	return items
}

// unfoldedProblem is a problem as it is.
func unfoldedProblem(q Problem) string {
	headline, more, _ := strings.Cut(q.Whole(), "\n")
	text := fmt.Sprintf("<b>FAIL</b> %s\n", summaryLine(headline))
	if more != "" {
		fence := fenceFor(more)
		text += fmt.Sprintf("\n%s\n%s\n%s\n", fence, more, fence)
	}
	return text + "\n"
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

// unfoldedItem is a cause as it is.
func unfoldedItem(f Failure) string {
	return fmt.Sprintf("\n<b>%s</b> %s\n\n%s", DefaultStyle.verdict(f.Status), summaryLine(f.Case), details(f))
}

// failureItem is a cause that opens.
func failureItem(f Failure) string {
	return fmt.Sprintf("<details><summary><b>%s</b> %s</summary>\n\n%s\n</details>\n",
		DefaultStyle.verdict(f.Status), summaryLine(f.Case), details(f))
}

// details are what there is to say of a cause, and the command that repeats its example.
func details(f Failure) string {
	text := f.Text()
	if f.Also > 0 {
		text += fmt.Sprintf("\nand in %s of %s", printable.Count(f.Also, "more case"), f.Kernel)
	}
	fence := fenceFor(text + f.Replay)
	return fmt.Sprintf("%s\n%s\n%s\n\nRepeat:\n\n%s\n%s\n%s\n", fence, text, fence, fence, f.Replay, fence)
}

// kernelRow is a row of the table.
func kernelRow(t Table, r Row) string {
	verdict := DefaultStyle.verdict(r.Status()) + r.share()
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
