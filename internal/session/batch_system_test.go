package session

import (
	"strings"
	"testing"

	"metalconform/reports"
)

func TestEnvironment(t *testing.T) {
	for _, test := range []struct {
		variables string
		want      reports.Shard
		by, err   string
	}{
		{"HOME=/", reports.Shard{}, "", ""},
		{"CONFORM_SHARD_INDEX=0 CONFORM_SHARD_TOTAL=4", reports.Shard{Index: 1, Of: 4}, "the environment", ""},
		{"JOB_COMPLETION_INDEX=2 CONFORM_SHARD_TOTAL=3", reports.Shard{Index: 3, Of: 3}, "Kubernetes", ""},
		{"JOB_COMPLETION_INDEX=2", reports.Shard{}, "",
			"JOB_COMPLETION_INDEX is 2, and CONFORM_SHARD_TOTAL does not say how many parts there are: set it, or " +
				"give -shard (1/1 for the whole)"},
		{"TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=2", reports.Shard{Index: 2, Of: 2}, "Bazel", ""},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=10 " +
			"SLURM_ARRAY_TASK_STEP=3", reports.Shard{Index: 3, Of: 4}, "Slurm", ""},
		{"SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=8 SLURM_ARRAY_TASK_MAX=10 " +
			"SLURM_ARRAY_TASK_STEP=1", reports.Shard{Index: 1, Of: 3}, "Slurm", ""},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 " +
			"SLURM_ARRAY_TASK_STEP=1", reports.Shard{}, "",
			"the tasks of the Slurm array are no even sequence from 1 to 7: number them 0-2, or give -shard"},
		{"BUILDKITE_PARALLEL_JOB=0 BUILDKITE_PARALLEL_JOB_COUNT=2", reports.Shard{Index: 1, Of: 2}, "Buildkite", ""},
		{"CI_NODE_INDEX=2 CI_NODE_TOTAL=2", reports.Shard{Index: 2, Of: 2}, "GitLab", ""},
		{"CI_NODE_INDEX=0 CI_NODE_TOTAL=2", reports.Shard{}, "",
			"CI_NODE_INDEX is 0, want 1 to 2 because CI_NODE_TOTAL is 2"},
		{"CI_NODE_TOTAL=1", reports.Shard{}, "", ""},
		{"CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=1", reports.Shard{}, "", ""},
		{"CIRCLE_NODE_INDEX=3 CIRCLE_NODE_TOTAL=4", reports.Shard{Index: 4, Of: 4}, "CircleCI", ""},
		{"AWS_BATCH_JOB_ARRAY_INDEX=9 AWS_BATCH_JOB_ARRAY_SIZE=10", reports.Shard{Index: 10, Of: 10}, "AWS Batch", ""},
		{"AWS_BATCH_JOB_ARRAY_INDEX=x AWS_BATCH_JOB_ARRAY_SIZE=10", reports.Shard{}, "",
			`AWS_BATCH_JOB_ARRAY_INDEX is "x", want a number`},
		{"CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=many", reports.Shard{}, "",
			`CIRCLE_NODE_TOTAL is "many", want a number of parts`},
		{"CIRCLE_NODE_INDEX=1 CIRCLE_NODE_TOTAL=4 CONFORM_SHARD_INDEX=1 CONFORM_SHARD_TOTAL=4",
			reports.Shard{Index: 2, Of: 4}, "CircleCI", ""},
		{"CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=4 CONFORM_SHARD_INDEX=1 CONFORM_SHARD_TOTAL=4", reports.Shard{}, "",
			"the environment asks for part 2/4 and CircleCI for 1/4: say which with -shard"},
	} {
		variables := map[string]string{}
		for _, v := range strings.Fields(test.variables) {
			name, value, _ := strings.Cut(v, "=")
			variables[name] = value
		}
		got, by, err := ShardOfEnvironment(func(name string) (string, bool) { v, ok := variables[name]; return v, ok })
		if message(err) != test.err || got != test.want || by != test.by {
			t.Errorf("%s:\n got %+v by %q, %v\nwant %+v by %q, %s", test.variables, got, by, err, test.want, test.by,
				test.err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
