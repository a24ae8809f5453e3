package reports

import (
	"time"

	"metalconform/suite"
)

// Run is what one or several files of results say.
type Run struct {
	Header
	Results []suite.Result // in the order of the sweep
	Ending  *Ending        // of all shards; nil if one of them was killed
	// Flaws are lines that were left out because they are not sound, and shards
	// that are missing.
	Flaws []Flaw

	indices []int // of the results among all cases
}

// Complete reports whether every case of the run, or of the only shard that there
// is, was judged and every line was sound.
func (r Run) Complete() bool {
	return r.Ending != nil && len(r.Flaws) == 0 && len(r.Results) == r.shard().Cases
}

// Index is that of a result among all cases.
func (r Run) Index(result int) int { return r.indices[result] }

// shard is the part of the run that there is.
func (r Run) shard() Shard {
	if r.Shard == nil {
		return Shard{Index: 1, Of: 1, Cases: r.Planned}
	}
	return *r.Shard
}

// Kernel is what is known of a kernel or pipeline; the zero value if nothing is.
func (r Run) Kernel(name string) Kernel {
	for _, k := range r.Kernels {
		if k.Name == name {
			return k
		}
	}
	return Kernel{}
}

// Stale says what is wrong with declarations.
func (r Run) Stale() []suite.Outdated {
	if r.Ending == nil {
		return nil
	}
	return r.Ending.Stale
}

// Elapsed is the wall time of the run, of all shards together.
func (r Run) Elapsed() time.Duration {
	if r.Ending == nil {
		return 0
	}
	return time.Duration(r.Ending.ElapsedNS)
}

// Ending is the last line: all cases of the run, or of the shard, were judged. A
// run that was killed or interrupted has none.
type Ending struct {
	Ended     int              `json:"ended"` // cases
	ElapsedNS int64            `json:"elapsed_ns"`
	Stale     []suite.Outdated `json:"stale,omitempty"` // what is wrong with declarations

	// The verdict on the run, or on the shard. It is derived from all else: readers derive it again.
	Verdict Outcome `json:"verdict,omitempty"`
	Reason  string  `json:"reason,omitempty"`
}

// NewRun is what a process has judged: results with their indices among all cases.
func NewRun(h Header, results []suite.Result, indices []int, ending *Ending) Run {
	return Run{Header: h, Results: results, Ending: ending, indices: indices}
}
