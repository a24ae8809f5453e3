package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"metalconform/internal/exit"
	"metalconform/reports"
	"metalconform/suite"

	"github.com/spf13/pflag"
)

// ShardFlag is a flag that holds a part of a run, I/N with I from 1 to N.
type ShardFlag struct {
	reports.Shard
	by string // who asked for it: an engine, or nobody
}

func (s *ShardFlag) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}
func (s *ShardFlag) Type() string { return "shard" }
func (s *ShardFlag) Set(text string) error {
	index, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if err != nil || err2 != nil || !(1 <= i && i <= n) {
		return errors.New("want I/N with I from 1 to N, such as 2/8")
	}
	s.Index, s.Of = i, n
	return nil
}

// Partition is how a run is divided among processes.
type Partition struct {
	Shard ShardFlag
	Costs []string // results of an earlier run
}

// Add defines the flag; what says how the parts are joined.
func (p *Partition) Add(flags *pflag.FlagSet, what string) {
	flags.Var(&p.Shard, "shard",
		"judge part I of N, as `I/N`; if not given, the part that variables of a CI system or batch engine name; "+what)
}

// FromEnvironment takes the part from the environment if no flag names one.
func (p *Partition) FromEnvironment() error {
	if p.Shard.Of > 0 {
		return nil
	}
	part, by, err := ShardOfEnvironment(os.LookupEnv)
	if err != nil {
		return exit.Usagef("%v", err)
	}
	p.Shard = ShardFlag{part, by}
	if err := acknowledge(by, os.LookupEnv); err != nil {
		return exit.Usagef("%s: %v", by, err)
	}
	return nil
}

// Divided reports whether there are other parts.
func (p *Partition) Divided() bool { return p.Shard.Of > 0 }

// String says which part it is, for a line of output; empty for the whole.
func (p *Partition) String() string {
	switch {
	case !p.Divided():
		return ""
	case p.Shard.by != "":
		return fmt.Sprintf(" (shard %d of %d, says %s)", p.Shard.Index, p.Shard.Of, p.Shard.by)
	}
	return fmt.Sprintf(" (shard %d of %d)", p.Shard.Index, p.Shard.Of)
}

// Take is the part of the cases that the shard judges, and their indices among
// all.
func (p *Partition) Take(cases []suite.Case) (part []suite.Case, indices []int, err error) {
	owner := func(i int) int { return i%max(1, p.Shard.Of) + 1 }
	if p.Divided() && len(p.Costs) > 0 {
		costs, err := p.measured(cases)
		if err != nil {
			return nil, nil, err
		}
		sum := sha256.Sum256(fmt.Append(nil, costs))
		p.Shard.Costs = hex.EncodeToString(sum[:8])
		dealt := reports.Deal(costs, p.Shard.Of)
		owner = func(i int) int { return dealt[i] }
	}
	for i, c := range cases {
		if !p.Divided() || owner(i) == p.Shard.Index {
			part, indices = append(part, c), append(indices, i)
		}
	}
	p.Shard.Cases = len(part)
	return part, indices, nil
}

// measured are the costs of cases in the earlier run.
func (p *Partition) measured(cases []suite.Case) ([]int64, error) {
	run, err := ReadRun(p.Costs, true, ResultsMemory{}.Room())
	if err != nil {
		return nil, exit.Usagef("-costs: %v", err)
	}
	if !slices.ContainsFunc(run.Results, func(r suite.Result) bool { return r.CostNS > 0 }) {
		return nil, exit.Usagef("-costs %s: these results say nothing of costs; judge once more with this conform",
			strings.Join(p.Costs, " "))
	}
	names, kernels := make([]string, len(cases)), make([]string, len(cases))
	for i, c := range cases {
		names[i], kernels[i] = c.Name, c.Kernel.Name
	}
	return run.Costs(names, kernels), nil
}
