package reports

import (
	"fmt"
	"strings"

	"metalconform/internal/printable"
	"metalconform/suite"
)

// additionWidth is that of "lane 1023, term 10000".
const additionWidth = 21

// sums writes the sums of one name that an element rests on, and the partial
// sums of the one that contributes most.
func sums(b *strings.Builder, x suite.Sums, output string) {
	fmt.Fprintf(b, "  sum %s, %s: ", x.Name, x.Order)
	if len(x.Found) == 1 {
		fmt.Fprintf(b, "number %d of 0…%d", x.Most.Number, x.Formed-1)
	} else {
		atLeast := ""
		if x.More {
			atLeast = "at least "
		}
		fmt.Fprintf(b, "%s%d of %d, in the bound with %s = %.1f %%; most of it with number %d", atLeast, len(x.Found),
			x.Formed,
			Figure(finite(x.Error)), 100*x.Share, x.Most.Number)
	}
	shared := "for this element only"
	if x.Most.Elements > 1 {
		shared = fmt.Sprintf("shared by %s of %s", printable.Count(x.Most.Elements, "element"), output)
	}
	p := x.Most
	fmt.Fprintf(b, ", %s, in the bound with %s = %.1f %%\n", shared, Figure(finite(p.Error)), 100*p.Share)
	of := "s"
	if p.Lanes > 1 {
		of = fmt.Sprintf("s of %d lanes and of their sum", p.Lanes)
	}
	fmt.Fprintf(b, "    %s p, Σ|p| = %s; partial sums %s, Σ|s| = %s; in all %.9g, known to within %s\n",
		printable.Count(p.Terms, "term"), Figure(finite(p.Magnitude)), of, Figure(finite(p.Running)), finite(p.Value),
		Figure(finite(p.Within)))
	additions(b, p)
}

// additions writes terms and the partial sums that have taken them.
func additions(b *strings.Builder, p suite.Partials) {
	shown := -1 // the number of the last of them
	for _, s := range p.Steps {
		if s.Step > shown+1 {
			b.WriteString("    …\n")
		}
		shown = s.Step
		lane := ""
		if p.Lanes > 1 {
			lane = fmt.Sprintf("lane %d, ", s.Lane)
		}
		fmt.Fprintf(b, "    %-*s p = %-16.9g s = %.9g\n", additionWidth, fmt.Sprintf("%sterm %d", lane, s.Term),
			finite(s.Value), finite(s.Partial))
	}
}
