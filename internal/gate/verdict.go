package gate

import (
	"fmt"
	"io"
	"slices"

	"metalconform/internal/printable"
	"metalconform/reports"
	"metalconform/suite/mutate"
)

// Verdict is what a gate finds.
type Verdict struct {
	reports.View
	Scope   scope
	Note    string                 // on the policy; "" for none
	Mutants *reports.MutationTable // nil if none were judged

	Internal error // mistakes of this program in judging either side, for a report of them; nil: none

	loosened []string // what is asked for no longer, as is allowed
	declared []string // what the change's own declarations would change
}

// Safe reports whether the change may be merged.
func (v *Verdict) Safe() bool { return v.View.Verdict().Outcome == reports.Passed }

// Closing is the last line: whether the change may be merged, and for what it was judged.
func (v *Verdict) Closing() string {
	word := map[reports.Outcome]string{reports.Passed: "PASS: safe to merge", reports.Failed: "FAIL: blocked",
		reports.NotJudged: "NOT JUDGED: blocked"}[v.View.Verdict().Outcome]
	return fmt.Sprintf("%s; %s", word, v.Scope)
}

// Ask demands that the sweep catches so many percent of the small edits.
func (v *Verdict) Ask(percent float64) {
	if v.Mutants == nil || v.Mutants.Total.Judged() == 0 || 100*v.Mutants.Total.Value() >= percent {
		return
	}
	t := v.Mutants.Total
	v.More = append(v.More, reports.Problem{Kind: reports.ProblemEdits, Name: "small edits",
		Text: fmt.Sprintf("the tests catch %d of %d, and -min asks for %g %%", t.Fates[mutate.Killed], t.Judged(),
			percent)})
}

// Lines are sentences in addition to the report: what is asked for no longer, and which edits go unseen.
func (v *Verdict) Lines() []string {
	list := slices.Concat(v.loosened, v.declared)
	if v.Mutants == nil {
		return list
	}
	t := v.Mutants.Total
	list = append(list, fmt.Sprintf("the tests catch %d of %s to what changed", t.Fates[mutate.Killed],
		printable.Count(t.Judged(), "small edit")))
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
	fmt.Fprintf(w, "\n<details><summary>Judged since %s: %s</summary>\n\n", reports.Inline(v.Against.Base.Commit),
		reports.Inline(v.Scope.String()))
	for _, file := range v.Scope.files {
		fmt.Fprintf(w, "- %s\n", reports.Inline(file))
	}
	fmt.Fprint(w, "\n</details>\n")
	if lines := v.Lines(); len(lines) > 0 {
		fmt.Fprint(w, "\n### Test coverage\n\n")
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
