package suite

import (
	"time"

	"metalconform/internal/budget"
	"metalconform/metalrun"
	"metalconform/suite/coverage"
	"metalconform/suite/metrics"
)

// DefaultSeed is the seed of runs that are given none.
const DefaultSeed = 1

// Options are the choices of a run.
type Options struct {
	Shaders  *Shaders // the kernels under test
	Seed     uint64   // of all inputs, together with the case's name
	Parallel int      // cases judged at once; 0: one for each processor
	// bytes that the cases judged at once may take; 0: 1.25 GiB, or 192 MiB for each judged at once if that is more
	Memory int64
	Judged int   // of the cases, those that come first and are left out: another run has judged them
	Hung   []int // of these, the places of those whose kernel did not end
	// Repeat is how often each case, and each stage of a pipeline, is launched
	// from the same inputs: every time it has to give the same bits. 0 and 1
	// mean once.
	Repeat  int
	Metrics metrics.Table // that outputs are measured by; nil: metrics.All
	// Plain, if not nil, is what the errors of outputs are compared with.
	Plain *Plain
	// Forecast, if not nil, is how times of a GPU are forecast.
	Forecast *Forecasting
	// Simulator, if not nil, runs every case too, to be shown beside the device of the run.
	Simulator metalrun.Runner
	// Adversary is the device of the run if that resolves every unspecified behaviour against
	// the kernels: what fails there is traced to the first choice that it relies on. nil
	// for other runs.
	Adversary *Adversary
	// Adversaries judge what passes on the device of the run.
	Adversaries []Adversary
	// Exact, if not nil, is the device that knows exact values.
	Exact *Exact
	// Losses finds, with Exact, where kernels without a contract lose accuracy, in cases with random inputs.
	Losses bool
	// Blame, if not nil, finds, with Exact, where the error of the worst element comes from, in the first case
	// of each kernel and pipeline.
	Blame Blamer
	// Explain, if not nil, gives the background of one element of each case that fails, of which these are the
	// failures.
	Explain func(metalrun.Runner, Options, Case, []Failure) *Background
	// Budget bounds what the definitions and the launches of all cases take; nil: nothing does.
	Budget *budget.Budget
	// Declared is what the authors of the kernels declare; nil for nothing. The
	// cases are to be those of its [Declarations.Families].
	Declared *Declarations
	// Today is the date of the run: a failure that another contract would cure is judged
	// again to find it, and the entry that declares it is to expire three months later. If
	// zero, none is looked for.
	Today time.Time
	Observers
	// Strict fails cases for what Metal or the contract forbids although no trial changed a
	// result.
	Strict bool
	// ReplayCommand is the command that repeats a case; conform run if empty.
	ReplayCommand string
	// ReplayFlags are the flags beside -run, -seed and -sweep that repeat a
	// case, such as "-shaders DIR".
	ReplayFlags string

	runState
}

// runState is what the cases of a run share.
type runState struct {
	rooms  *rooms          // of pipelines; nil: nobody asks
	firsts map[string]bool // cases that tell narrow indices; nil: none does
}

// begin is the state of a run of cases.
func (s runState) begin(cases []Case) runState {
	s.rooms = &rooms{}
	if s.firsts == nil {
		s.firsts = firstBuilds(cases)
	}
	return s
}

// Observers get what launches of the run come to.
type Observers struct {
	Reach *Reach // arms of branches, on the device of the run; nil: nobody asks
	// Coverage, if not nil, gets what launches execute of the lines of the sources.
	Coverage *coverage.Coverage
}

// Blamer finds where errors come from.
type Blamer interface {
	// BlameCase blames the worst element of a case that has been compared with exact execution, with the
	// result so far; nil if nothing is known of it.
	BlameCase(t *CaseRun, r Result) *Blame
	// BlamePipeline runs a case of a pipeline, and blames the worst element of its stages.
	BlamePipeline(opts Options, c Case) *Blame
}
