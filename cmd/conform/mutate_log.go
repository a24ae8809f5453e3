package main

import (
	"io"
	"os"
	"strings"

	"metalconform/reports"
	"metalconform/suite"
)

// openLog opens the file of -json and writes its header, or the file of -resume after
// the mutants that it holds.
func (f mutateFlags) openLog(plan *suite.MutationPlan) (log io.WriteCloser, known []suite.Mutant, err error) {
	switch {
	case f.resume != "":
		return f.reopen(plan)
	case f.json == "":
		return nowhere{}, nil, nil
	}
	file, err := os.Create(f.json)
	if err != nil {
		return nil, nil, usageError("-json: %v", err)
	}
	if err := reports.NewMutationLog(file).Begin(f.header(plan)); err != nil {
		return nil, nil, &exit{exitDevice, err}
	}
	return file, nil, nil
}

// reopen reads a log and drops an unfinished last line. The log has to be of the same
// mutants under the same flags.
func (f mutateFlags) reopen(plan *suite.MutationPlan) (io.WriteCloser, []suite.Mutant, error) {
	file, err := os.OpenFile(f.resume, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, usageError("-resume: %v", err)
	}
	header, known, size, err := reports.ReadMutationLog(file)
	if err != nil {
		return nil, nil, usageError("-resume %s: %v", f.resume, err)
	}
	if diff := header.Differences(f.header(plan)); len(diff) > 0 {
		return nil, nil, usageError("-resume %s: another run began it: %s", f.resume, strings.Join(diff, ", "))
	}
	if err := file.Truncate(size); err != nil {
		return nil, nil, usageError("-resume: %v", err)
	}
	if _, err := file.Seek(size, io.SeekStart); err != nil {
		return nil, nil, usageError("-resume: %v", err)
	}
	return file, known, nil
}

// header is what the fates of a run follow from.
func (f mutateFlags) header(plan *suite.MutationPlan) reports.MutationHeader {
	return reports.MutationHeader{
		Schema: reports.MutationSchema, Sources: plan.Sources, Rule: f.rule.value, Typical: f.typical, Seed: uint64(f.seed), Sweep: f.sweep.value,
		Flags: f.exactly().replayFlags(), Kernels: f.kernels, Operators: f.operators, Sample: f.sample, Adversaries: f.adversaries.n, Mutants: plan.Len(),
	}
}
