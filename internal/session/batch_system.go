package session

import (
	"fmt"
	"os"
	"strconv"

	"metalconform/reports"
)

// batchSystem is a system that starts many processes of one command and tells each, in
// variables, which of them it is.
type batchSystem struct {
	name  string
	index string // variable that counts processes
	total string // variable that says how many there are
	base  int    // number of the first
	// array is the prefix of the variables MIN, MAX and STEP, for engines whose users
	// choose the numbers.
	array string
	// status is the variable that names a file which has to be touched by a program that
	// understands the others; empty if there is none.
	status string
}

// batchSystems are those whose variables are understood. The documents of each name them:
// Bazel's test encyclopedia, sbatch(1), Kubernetes' Indexed Jobs, Buildkite's and
// CircleCI's parallel jobs, GitLab's CI_NODE_INDEX, and AWS Batch's array jobs, whose
// variable for the number came with AWS_BATCH_JOB_ARRAY_SIZE. A GitHub matrix sets
// nothing by itself: a workflow hands strategy.job-index and strategy.job-total over as
// the first row's. Kubernetes tells no process how many there are.
func batchSystems() []batchSystem {
	return []batchSystem{
		{name: "the environment", index: "CONFORM_SHARD_INDEX", total: "CONFORM_SHARD_TOTAL"},
		{name: "Kubernetes", index: "JOB_COMPLETION_INDEX", total: "CONFORM_SHARD_TOTAL"},
		{name: "Bazel", index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS", status: "TEST_SHARD_STATUS_FILE"},
		{name: "Slurm", index: "SLURM_ARRAY_TASK_ID", total: "SLURM_ARRAY_TASK_COUNT", array: "SLURM_ARRAY_TASK_"},
		{name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", total: "BUILDKITE_PARALLEL_JOB_COUNT"},
		{name: "GitLab", index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", base: 1},
		{name: "CircleCI", index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL"},
		{name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", total: "AWS_BATCH_JOB_ARRAY_SIZE"},
	}
}

// ShardOfEnvironment is the part that an engine asks this process for, and which says so. The
// zero part is the whole.
func ShardOfEnvironment(lookup func(string) (string, bool)) (part reports.Shard, by string, err error) {
	for _, e := range batchSystems() {
		s, err := e.part(lookup)
		switch {
		case err != nil:
			return reports.Shard{}, "", err
		case s.Of <= 1:
		case part.Of > 0 && part != s:
			return reports.Shard{}, "", fmt.Errorf("%s asks for part %d/%d and %s for %d/%d: say which with -shard", by,
				part.Index, part.Of, e.name, s.Index, s.Of)
		default:
			part, by = s, e.name
		}
	}
	return part, by, nil
}

// part is what the engine's variables say; the zero value if it did not start this
// process, or only this one.
func (e batchSystem) part(lookup func(string) (string, bool)) (reports.Shard, error) {
	index, started := lookup(e.index)
	total, counted := lookup(e.total)
	if !started {
		return reports.Shard{}, nil
	}
	if !counted {
		return reports.Shard{},
			fmt.Errorf(
				"%s is %s, and %s does not say how many parts there are: set it, or give -shard (1/1 for the whole)",
				e.index, index, e.total)
	}
	of, err := strconv.Atoi(total)
	if err != nil || of < 1 {
		return reports.Shard{}, fmt.Errorf("%s is %q, want a number of parts", e.total, total)
	}
	if of == 1 {
		return reports.Shard{}, nil
	}
	i, err := strconv.Atoi(index)
	if err != nil {
		return reports.Shard{}, fmt.Errorf("%s is %q, want a number", e.index, index)
	}
	i -= e.base
	if e.array != "" {
		if i, err = e.place(i, of, lookup); err != nil {
			return reports.Shard{}, err
		}
	}
	if i < 0 || i >= of {
		return reports.Shard{}, fmt.Errorf("%s is %s, want %d to %d because %s is %d", e.index, index, e.base,
			e.base+of-1, e.total, of)
	}
	return reports.Shard{Index: i + 1, Of: of}, nil
}

// place is where the number of a task stands among those of its array, from 0 on.
func (e batchSystem) place(number, of int, lookup func(string) (string, bool)) (int, error) {
	value := func(name string, otherwise int) int {
		text, _ := lookup(e.array + name)
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
		return otherwise
	}
	first := value("MIN", 0)
	step := max(1, value("STEP", 1))
	last := value("MAX", first+step*(of-1))
	if last-first != step*(of-1) || (number-first)%step != 0 {
		return 0,
			fmt.Errorf("the tasks of the %s array are no even sequence from %d to %d: number them 0-%d, or give -shard",
				e.name, first, last, of-1)
	}
	return (number - first) / step, nil
}

// acknowledge tells the engine that its variables were understood.
func acknowledge(by string, lookup func(string) (string, bool)) error {
	for _, e := range batchSystems() {
		if e.name != by || e.status == "" {
			continue
		}
		if name, ok := lookup(e.status); ok {
			return os.WriteFile(name, nil, 0o666)
		}
	}
	return nil
}
