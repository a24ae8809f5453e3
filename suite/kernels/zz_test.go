package kernels

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"sort"
	"testing"
	"time"

	"metalconform/metalrun/sim"
	"metalconform/suite"
)

func TestZZ(t *testing.T) {
	re := regexp.MustCompile(os.Getenv("EXACT_RUN"))
	var few []suite.Case
	n := map[string]int{}
	lim := 2
	if os.Getenv("EXACT_ALL") != "" {
		lim = 1 << 30
	}
	for _, c := range suite.Cases(All(), suite.Quick) {
		key := c.Kernel.Name + "/" + c.Input.Name
		if re.MatchString(c.Name) && n[key] < lim {
			n[key]++
			few = append(few, c)
		}
	}
	ex := &suite.Exact{Anchored: sim.New(sim.Semantics{Exact: true}), Unanchored: sim.New(sim.Semantics{Exact: true, Unanchored: true})}
	if os.Getenv("EXACT_ANCHOR") != "" {
		ex.Unanchored = ex.Anchored
	}
	if os.Getenv("EXACT_OFF") != "" {
		ex = nil
	}
	type st struct {
		cases, elements, unknown, ff, rf int
		formula, rounding, sharp         float64
		where, msg                       string
	}
	by := map[string]*st{}
	begin := time.Now()
	err := suite.Run(context.Background(), sim.New(sim.Semantics{}), suite.Options{Shaders: ours(t), Seed: 1, Exact: ex}, few, func(r suite.Result) {
		s := by[r.Kernel]
		if s == nil {
			s = &st{}
			by[r.Kernel] = s
		}
		s.cases++
		s.elements += r.Elements
		if r.Status == suite.Error {
			fmt.Println("ERR", r.Case, r.Reason)
		}
		for _, f := range r.Failures {
			if f.Check == suite.CheckFormula {
				s.ff += f.Count
			} else if f.Check == suite.CheckRounding {
				s.rf += f.Count
			}
			if s.msg == "" {
				s.msg = r.Case + ": " + f.String()
			}
		}
		for _, o := range r.Outputs {
			for _, v := range o.Metrics {
				switch v.Key {
				case "formula":
					if v.Value > s.formula {
						s.formula, s.where = v.Value, r.Case
					}
				case "rounding":
					s.rounding = max(s.rounding, v.Value)
				case "any_device":
					s.sharp = max(s.sharp, v.Value)
				case "unknown":
					s.unknown += int(v.Value)
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for k := range by {
		names = append(names, k)
	}
	sort.Strings(names)
	for _, k := range names {
		b := by[k]
		fmt.Printf("%-36s c=%d n=%d unk=%d F %.2g (%d) R %.2g (%d) sharp %.2g %s\n", k, b.cases, b.elements, b.unknown, b.formula, b.ff, b.rounding, b.rf, b.sharp, b.where)
		if b.msg != "" && os.Getenv("EXACT_MSG") != "" {
			fmt.Println("     ", b.msg)
		}
	}
	fmt.Println(len(few), time.Since(begin))
}
