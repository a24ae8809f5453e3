package reports

import (
	"fmt"
	"io"
	"strings"

	"metalconform/suite"
)

// Metrics writes the figures of every output of a result below its line.
func (s Style) Metrics(w io.Writer, r suite.Result) error {
	var b strings.Builder
	if r.Digest != "" {
		fmt.Fprintf(&b, "\tdigest %s\n", r.Digest)
	}
	for _, m := range r.Outputs {
		writeMetrics(&b, m)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeMetrics writes a line that names the output, and unless all of it is
// exact one for its bounds, its units in the last place, its errors and each
// kind of slice.
func writeMetrics(b *strings.Builder, m suite.Metrics) {
	name := m.Output
	if m.Stage != "" {
		name = m.Stage + ": " + name
	}
	fmt.Fprintf(b, "\t%s %s %s: %s", name, m.Type, position(m.Extents), count(m.Elements, "element"))
	for _, n := range []struct {
		count int
		what  string
	}{
		{m.Mismatched, "mismatched"}, {m.Misrounded, "misrounded"}, {m.Flushed, "flushed"},
	} {
		if n.count > 0 {
			fmt.Fprintf(b, ", %d %s", n.count, n.what)
		}
	}
	b.WriteString(classes(m.NonFinite) + "\n")
	if m.ErrorRatio.Value == 0 && m.Abs.Value == 0 {
		return
	}
	fmt.Fprintf(b, "\t\terror/bound %s", peak(m.ErrorRatio))
	if m.Statistical != nil {
		fmt.Fprintf(b, ", statistical %s", peak(*m.Statistical))
	}
	if m.VsPlain != 0 {
		fmt.Fprintf(b, ", %s of a plain evaluation's error", Figure(finite(m.VsPlain)))
	}
	if u := m.Ulp; u != nil {
		fmt.Fprintf(b, "\n\t\tulp %s, p99.9 %s, p99 %s, mean %s, bias %s, outward %s", peak(u.Max),
			Figure(finite(u.P999)), Figure(finite(u.P99)), Figure(finite(u.Mean)), Figure(finite(u.Bias)), Figure(finite(u.Outward)))
	}
	fmt.Fprintf(b, "\n\t\tabsolute %s, relative %s\n\t\tcosine %s, nmse %s, rel. rmse %s, %s dB\n", peak(m.Abs), peak(m.Rel),
		Cosine(m.Cosine), Figure(finite(m.NMSE)), Figure(finite(m.RelRMSE)), Figure(finite(m.SNR)))
	for _, part := range m.Slices {
		fmt.Fprintf(b, "\t\tworst %s of %d: cosine %s at %s, nmse %s\n", part.By, part.Of,
			Cosine(part.Cosine.Value), position(part.Cosine.At), peak(part.NMSE))
	}
}

// classes says what is not finite.
func classes(c *suite.Classes) string {
	if c == nil {
		return ""
	}
	var b strings.Builder
	for _, n := range []struct {
		count int
		what  string
	}{
		{c.NaN, "NaN"}, {c.Inf, "Inf"}, {c.NaNMade, "NaN made"}, {c.NaNLost, "NaN lost"},
		{c.Overflow, "overflowed"}, {c.InfLost, "Inf lost"}, {c.InfSign, "Inf of the other sign"},
	} {
		if n.count > 0 {
			fmt.Fprintf(&b, ", %d %s", n.count, n.what)
		}
	}
	return b.String()
}

// peak is a figure with the element that has it.
func peak(p suite.Peak) string {
	if p.At == nil {
		return Figure(finite(p.Value))
	}
	return Figure(finite(p.Value)) + " at " + position(p.At)
}

// position spells a tuple: [3, 17].
func position(at []int) string { return strings.ReplaceAll(fmt.Sprint(at), " ", ", ") }
