package main

import (
	"io"
	"os"
	"strings"

	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/internal/session"
	"metalconform/reports"
	"metalconform/suite/mutate"
)

// openLog opens the log: the file of -o, after those of -from if both are given,
// or the one of -from after the mutants that it holds.
func (f mutateFlags) openLog(plan *mutate.Plan) (log io.WriteCloser, known []mutate.Mutant, err error) {
	switch {
	case f.out == "" && len(f.from) > 0:
		return f.reopen(plan)
	case f.out == "":
		return session.Discard{}, nil, nil
	}
	for _, name := range f.from {
		list, err := f.recall(plan, name)
		if err != nil {
			return nil, nil, err
		}
		known = append(known, list...)
	}
	file, err := session.OpenLocked(f.out, os.O_CREATE)
	if err != nil {
		return nil, nil, exit.Usagef("-o: %v", err)
	}
	if err := file.Truncate(0); err != nil {
		file.Close()
		return nil, nil, exit.Usagef("-o: %v", err)
	}
	if err := reports.NewMutationLog(file).Begin(f.header(plan)); err != nil {
		file.Close()
		return nil, nil, exit.With(exit.Device, err)
	}
	return file, known, nil
}

// recall reads the log of another process.
func (f mutateFlags) recall(plan *mutate.Plan, name string) ([]mutate.Mutant, error) {
	file, err := regular.Open(name, regular.Results)
	if err != nil {
		return nil, exit.Usagef("-from: %v", err)
	}
	defer file.Close()
	known, _, err := f.readLog(plan, file)
	return known, err
}

// readLog reads a log, which has to be of the same mutants under the same flags, and
// how many bytes of it are whole lines.
func (f mutateFlags) readLog(plan *mutate.Plan, file *os.File) (known []mutate.Mutant, size int64, err error) {
	header, known, size, err := reports.ReadMutationLog(file)
	if err != nil {
		return nil, 0, exit.Usagef("-from %s: %v", file.Name(), err)
	}
	if diff := header.Differences(f.header(plan)); len(diff) > 0 {
		return nil, 0, exit.Usagef("-from %s: another run began it: %s", file.Name(), strings.Join(diff, ", "))
	}
	return known, size, nil
}

// reopen reads a log and drops an unfinished last line.
func (f mutateFlags) reopen(plan *mutate.Plan) (log io.WriteCloser, known []mutate.Mutant, err error) {
	file, err := session.OpenLocked(f.from[0], 0)
	if err != nil {
		return nil, nil, exit.Usagef("-from: %v", err)
	}
	defer func() {
		if err != nil {
			file.Close() // and with it goes the lock
		}
	}()
	known, size, err := f.readLog(plan, file)
	if err != nil {
		return nil, nil, err
	}
	if err := file.Truncate(size); err != nil {
		return nil, nil, exit.Usagef("-from: %v", err)
	}
	if _, err := file.Seek(size, io.SeekStart); err != nil {
		return nil, nil, exit.Usagef("-from: %v", err)
	}
	return file, known, nil
}

// header is what the fates of a run follow from.
func (f mutateFlags) header(plan *mutate.Plan) reports.MutationHeader {
	return reports.MutationHeader{
		Schema: reports.MutationSchema, Sources: plan.Sources, Rule: f.rule.Value, Typical: f.typical,
		Seed: uint64(f.Seed), Sweep: f.Sweep.Value,
		Flags:   f.WithoutAdversaries().ReplayFlags(),
		Kernels: f.kernels, Operators: f.operators, Sample: f.sample, Adversaries: f.Adversaries.N,
		Mutants: plan.Planned(),
	}
}
