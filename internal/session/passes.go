package session

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"metalconform/metalrun/sim"
)

// passes is a flag: the names of passes of the simulator to leave out, as [sim.Semantics] takes them.
type passes string

func (p passes) String() string { return string(p) }

func (p passes) Type() string { return "NAMES" }

// Set reads names with commas between them.
func (p *passes) Set(text string) error {
	if text == "list" {
		return fmt.Errorf("the passes are\n%s", passTable())
	}
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if !slices.ContainsFunc(sim.PassList(), func(i sim.PassInfo) bool { return i.Name == part }) {
			return fmt.Errorf("no pass is called %q; list names them", part)
		}
		out = append(out, part)
	}
	*p = passes(strings.Join(out, ","))
	return nil
}

// passTable lists the passes, what each does and what it gains.
func passTable() string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, p := range sim.PassList() {
		fmt.Fprintf(w, "%s\t%s\t%s, %s\n", p.Name, p.Does, p.Gain, p.Workload)
	}
	if err := w.Flush(); err != nil {
		panic(err)
	}
	return text.String()
}
