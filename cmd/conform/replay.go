package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"metalconform/metalrun/record"
	"metalconform/metalrun/sim"
	"metalconform/reports"
	"metalconform/suite"
)

// replayed ends a run of a recording: with the elements, beside those of the simulator, at
// which the device used most of its bounds.
func (s *session) replayed(r *record.Replay, opts suite.Options, cases []suite.Case) error {
	if r.Answers() == 0 {
		return usageError("-replay %s: no launch of these cases is recorded there: it was made from other sources, or with another -seed, -sweep or -run", s.replay)
	}
	if s.quiet || s.json {
		return nil
	}
	simulator := sim.New(sim.Semantics{Portable: s.portable})
	w := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\noutput\toracle\tbound\tsimulator\trecorded\tother bits than the simulator's\tcase\n")
	for _, c := range s.closest(cases) {
		elements, err := suite.ThreeWays(simulator, r, opts, c)
		if err != nil {
			fmt.Fprintf(w, "%s: %v\n", c.Name, err) // the table above has its verdict
		}
		for _, e := range elements {
			index := strings.Trim(strings.ReplaceAll(fmt.Sprint(e.Index), " ", ", "), "[]")
			fmt.Fprintf(w, "%s[%s]\t%s\t%s\t%s\t%s\t%d of %d\t%s\n", e.Output, index,
				exactly(e.Want), reports.Figure(e.Bound), exactly(e.Simulator), exactly(e.Device), e.Differ, e.Of, e.Case)
		}
	}
	return w.Flush()
}

// exactly spells a number so that no two of f32 look alike.
func exactly(x float64) string { return strconv.FormatFloat(x, 'g', 9, 64) }

// closest are, of each kernel, the judged case that came closest to its bound, or farthest
// beyond it.
func (s *session) closest(cases []suite.Case) []suite.Case {
	ratio := map[string]float64{}
	for _, r := range s.results {
		if r.Elements > 0 && !r.Pipeline {
			ratio[r.Case] = float64(r.ErrorRatio)
		}
	}
	var list []suite.Case
	at := map[string]int{}
	for _, c := range cases {
		x, judged := ratio[c.Name]
		if !judged {
			continue
		}
		i, seen := at[c.Kernel.Name]
		switch {
		case !seen:
			at[c.Kernel.Name] = len(list)
			list = append(list, c)
		case x > ratio[list[i].Name] || math.IsNaN(x):
			list[i] = c
		}
	}
	return list
}
