package main

import (
	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/reports"
	"metalconform/reports/html"
	"metalconform/reports/trend"
)

// site is the format of a report that is a directory of pages.
const site = "html"

// readMutants reads a log of mutants; none for no name.
func readMutants(name string) (*html.Mutation, error) {
	if name == "" {
		return nil, nil
	}
	file, err := regular.Open(name, regular.Results)
	if err != nil {
		return nil, exit.Usagef("-mutants: %w", err)
	}
	defer file.Close()
	header, mutants, _, err := reports.ReadMutationLog(file)
	if err != nil {
		return nil, exit.Usagef("-mutants: %s: %w", name, err)
	}
	return &html.Mutation{MutationHeader: header, Mutants: mutants}, nil
}

// readHistory finds the steps in the newest runs of a history, by the policy of a run;
// none for no name.
func readHistory(name string, run reports.Run) ([]trend.Trend, error) {
	if name == "" {
		return nil, nil
	}
	policy, err := config.PolicyFlags{}.Policy(run)
	if err != nil {
		return nil, err
	}
	return readTrends(name, nightsShown, policy)
}
