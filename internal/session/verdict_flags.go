package session

import (
	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/reports"

	"github.com/spf13/pflag"
)

// VerdictFlags say what fails a run beside its own cases, and what does not: for the
// commands whose exit status is a verdict.
type VerdictFlags struct {
	Require       Required
	BaselineFiles []string
	New           bool
	Memory        ResultsMemory
}

// Add defines the flags.
func (g *VerdictFlags) Add(flags *pflag.FlagSet) {
	flags.Var(&g.Require, "require",
		"fail unless each kernel and pipeline is judged whose whole name matches `REGEX|all|FILE`; a file has "+
			"one name per line, and comments after #")
	flags.StringArrayVar(&g.BaselineFiles, "baseline", nil,
		"say what has changed since `RESULTS`, and fail if a kernel that was judged there is not judged any more; "+
			"repeatable, for shards")
	flags.BoolVar(&g.New, "new", false, "with -baseline, fail only for failures that the baseline did not have")
	g.Memory.Add(flags)
}

// Baseline is the run to compare with; nil if there is none.
func (g VerdictFlags) Baseline(partial bool) (*reports.Run, error) {
	if len(g.BaselineFiles) == 0 {
		if g.New {
			return nil, exit.Usagef("-new: what a run did not have before is found with -baseline RESULTS")
		}
		return nil, nil
	}
	run, err := ReadRun(g.BaselineFiles, partial, g.Memory.Room())
	if err != nil {
		return nil, exit.Usagef("-baseline: %v", err)
	}
	return &run, nil
}

// View is a run as the flags judge it, against a baseline if there is one: by the policy
// of the file, or else of the directory.
func (g VerdictFlags) View(run reports.Run, baseline *reports.Run, file string) (reports.View, error) {
	v := reports.View{Run: run, New: g.New}
	if baseline != nil {
		policy, err := config.PolicyFlags{Config: file}.Policy(run)
		if err != nil {
			return v, err
		}
		v.Against = reports.Compare(reports.Set{Run: *baseline}, reports.Set{Run: run}, policy)
	}
	return v, nil
}
