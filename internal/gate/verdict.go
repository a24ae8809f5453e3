package gate

import (
	"fmt"
	"io"

	"metalconform/reports"
	"metalconform/suite/mutate"
)

// Verdict is what a gate finds.
type Verdict struct {
	reports.View
	Scope   scope
	Note    string                 // on the policy; "" for none
	Mutants *reports.MutationTable // nil if none were judged
	Crashed error                  // internal errors of cases

	narrowed []reports.Vanished // what is not asked for any more
}

// Safe reports whether the change may pass.
func (v *Verdict) Safe() bool {
	return v.View.Conforms() && len(v.Against.Regressions()) == 0
}

// Lines are sentences beside the report: what regressed, and which edits go unseen.
func (v *Verdict) Lines() []string {
	list := narrowing(v.narrowed)
	if v.Mutants == nil {
		return list
	}
	t := v.Mutants.Total
	list = append(list, fmt.Sprintf("of %d small edits to what changed the sweep catches %d", t.Judged(),
		t.Fates[mutate.Killed]))
	for _, m := range v.Mutants.Survivors {
		list = append(list, fmt.Sprintf("not caught: %s:%d: %s", m.File, m.Line, m.Change))
	}
	return list
}

// Markdown is the comment.
func (v *Verdict) Markdown(w io.Writer) error {
	fmt.Fprintln(w, CommentMark)
	view := v.View
	view.Limit = commentLimit
	if err := reports.Markdown(w, view); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n### What was judged\n\nSince %s: %s.\n\n", reports.Inline(v.Against.Base.Commit),
		reports.Inline(v.Scope.String()))
	for _, file := range v.Scope.files {
		fmt.Fprintf(w, "- %s\n", reports.Inline(file))
	}
	if lines := v.Lines(); len(lines) > 0 {
		fmt.Fprint(w, "\n### Beside it\n\n")
		for _, line := range lines {
			fmt.Fprintf(w, "- %s\n", reports.Inline(line))
		}
	}
	return nil
}

// CommentMark is the first line of a comment, by which it is found and replaced.
const CommentMark = "<!-- conform gate -->"

// commentLimit is what the report may take of a comment, in bytes; GitHub refuses one of
// more than 65,536 characters.
const commentLimit = 48 << 10

// narrowing says what specifications do not ask for any more.
func narrowing(list []reports.Vanished) (lines []string) {
	for _, v := range list {
		lines = append(lines, fmt.Sprintf("the specification asks for less than at the base: not %s", v))
	}
	return lines
}
