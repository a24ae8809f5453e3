package diagnostics

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"metalconform/internal/printable"
	"metalconform/metalrun"
)

// Writer writes diagnostics in one format. Close writes what is left.
type Writer struct {
	w     io.Writer
	style Style
	seen  map[cause]int
	held  []Diagnostic // for SARIF, with the text of their lines
	lines documents
	known map[place]bool // of files that were included
}

// A cause is what several diagnostics have in common.
type cause struct{ code, message string }

// A place is where a cause was found.
type place struct {
	metalrun.Position
	cause
}

// NewWriter makes a writer to w.
func NewWriter(w io.Writer, style Style) *Writer {
	return &Writer{w: w, style: style, seen: map[cause]int{}, lines: documents{}, known: map[place]bool{}}
}

// Write writes diagnostics of one translation unit. Source is the text of a file of it. What a file
// that several units include is to be blamed for is written for the first of them, but as JSON,
// which has everything.
func (w *Writer) Write(list []Diagnostic, source func(file string) (string, bool)) error {
	if w.style.Format == JSON {
		return w.json(list)
	}
	list, again := w.news(list)
	switch w.style.Format {
	case SARIF:
		w.held = append(w.held, list...)
		for _, d := range list {
			w.lines.keep(d, source)
		}
		return nil
	}
	q := &quoter{source: source, texts: documents{}, colour: w.style.Colour}
	clear(w.seen)
	omitted := map[cause][]string{}
	var order []cause
	for _, d := range list {
		key := cause{d.Code, d.Message}
		w.seen[key]++
		switch {
		case w.style.Limit > 0 && w.seen[key] > w.style.Limit:
			if omitted[key] == nil {
				order = append(order, key)
			}
			omitted[key] = append(omitted[key], fmt.Sprint(d.Line))
		case w.style.Format == GitHub:
			q.WriteString(annotation(d))
		default:
			q.diagnostic(d)
		}
	}
	for _, key := range order {
		if w.style.Format == Text {
			fmt.Fprintf(q, "%s %d more like %q, at lines %s\n", q.paint(grey, "note:"), len(omitted[key]),
				printable.Row(key.message), some(omitted[key]))
		}
	}
	if again != nil && w.style.Format == Text {
		at := again.Included[len(again.Included)-1]
		fmt.Fprintf(q, "%s:%d: %s %s, which is included here, is to be blamed as above\n", printable.Row(at.File),
			at.Line, q.paint(grey, "note:"), printable.Row(again.File))
	}
	_, err := io.WriteString(w.w, q.String())
	return err
}

// news are the diagnostics of a unit without those of included files that another unit had, and the
// first of these.
func (w *Writer) news(list []Diagnostic) (fresh []Diagnostic, again *Diagnostic) {
	for i, d := range list {
		key := place{d.Position, cause{d.Code, d.Message}}
		if len(d.Included) > 0 && w.known[key] {
			if again == nil {
				again = &list[i]
			}
			continue
		}
		w.known[key] = true
		fresh = append(fresh, d)
	}
	return fresh, again
}

// some are the first lines of a list.
func some(lines []string) string {
	const most = 10
	if len(lines) > most {
		lines = append(lines[:most:most], "…")
	}
	return strings.Join(lines, ", ")
}

func (w *Writer) json(list []Diagnostic) error {
	encoder := json.NewEncoder(w.w)
	encoder.SetEscapeHTML(false)
	for _, d := range list {
		raw := d.Raw
		if raw == nil {
			raw = d.Diagnostic
		}
		if err := encoder.Encode(raw); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the output.
func (w *Writer) Close() error {
	if w.style.Format != SARIF {
		return nil
	}
	encoder := json.NewEncoder(w.w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(w.sarif())
}

// annotation is a command of a GitHub workflow.
func annotation(d Diagnostic) string {
	command := map[Severity]string{Error: "error", Warning: "warning", Note: "notice"}[d.Severity]
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	lines := []string{printable.Row(d.Message)}
	for _, n := range d.Notes {
		lines = append(lines, fmt.Sprintf("note: %s: %s", printable.Row(n.Position.String()), printable.Row(n.Message)))
	}
	if d.Detail != "" {
		for line := range strings.SplitSeq(d.Detail, "\n") {
			lines = append(lines, printable.Row(line))
		}
	}
	place := ""
	if d.Line > 0 {
		place = fmt.Sprintf("file=%s,line=%d,col=%d,", property.Replace(printable.Row(d.File)), d.Line, d.Col)
	}
	return fmt.Sprintf("::%s %stitle=%s::%s\n", command, place, property.Replace(printable.Row("conform: "+d.Code)),
		data.Replace(strings.Join(lines, "\n")))
}
