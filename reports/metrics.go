package reports

import (
	"fmt"
	"io"
	"strings"

	"metalconform/internal/printable"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Metrics writes the metrics of every output of a result below its line, all of
// them if the table is nil.
func (s Style) Metrics(w io.Writer, r suite.Result, t metrics.Table) error {
	var b strings.Builder
	if r.Digest != "" {
		fmt.Fprintf(&b, "\tdigest %s\n", r.Digest)
	}
	shown := t.Or().Shown(metrics.InDetails)
	for _, o := range Meaningful(r) {
		writeOutput(&b, o, shown)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeOutput writes a line that names the output, with what was counted, and unless all of it is exact the lines of
// the metrics, and one for each kind of slice. What is infinite is left out: there was nothing to be a fraction of.
func writeOutput(b *strings.Builder, o metrics.Output, shown metrics.Table) {
	name := o.Output
	if o.Stage != "" {
		name = o.Stage + ": " + name
	}
	fmt.Fprintf(b, "\t%s %s %s: %s", name, o.Type, position(o.Extents), printable.Count(o.Elements, "element"))
	for _, m := range shown {
		if v, ok := o.Metrics.Find(m.Key); ok && m.Line == "" {
			fmt.Fprintf(b, ", %s %s", Value(m, v.Value), m.Name)
		}
	}
	b.WriteByte('\n')
	if o.Exact() {
		return
	}
	line := ""
	for _, m := range shown {
		v, ok := o.Metrics.Find(m.Key)
		switch {
		case !ok || m.Line == "" || Unbounded(v.Value):
			continue
		case m.Line == line:
			b.WriteString(", " + valueAt(m, v, m.Unit != m.Line))
			continue
		case line != "":
			b.WriteByte('\n')
		}
		line = m.Line
		b.WriteString("\t\t" + valueAt(m, v, m.Unit != m.Line))
	}
	b.WriteByte('\n')
	for _, part := range o.Slices {
		if text := slicesOf(part, shown); text != "" {
			fmt.Fprintf(b, "\t\tworst %s of %d: %s\n", part.By, part.Of, text)
		}
	}
}

// valueAt is a value with its name, and with its unit and the element that has it
// if there are any. The unit is left out where its line says it.
func valueAt(m metrics.Metric, v metrics.Value, unit bool) string {
	text := m.Name + " " + Value(m, v.Value)
	if unit && m.Unit != "" {
		text += " " + m.Unit
	}
	if v.At != nil {
		text += " at " + position(v.At)
	}
	return text
}

// slicesOf are the values of the worst parts of a kind.
func slicesOf(part metrics.Slices, shown metrics.Table) string {
	var texts []string
	for _, m := range shown {
		if v, ok := part.Metrics.Find(m.Key); ok && !Unbounded(v.Value) {
			texts = append(texts, valueAt(m, v, true))
		}
	}
	return strings.Join(texts, ", ")
}

// position spells a tuple: [3, 17].
func position(at []int) string { return strings.ReplaceAll(fmt.Sprint(at), " ", ", ") }
