package main

import (
	"os"

	"metalconform/reports"
	"metalconform/reports/html"
	"metalconform/reports/plot"
)

// site is the format of a report that is a directory of pages.
const site = "html"

// writeSite writes the pages of a view, with plots, and with those of a log of
// mutants if there is one.
func writeSite(dir string, v reports.View, figures []plot.Figure, mutants *html.Mutation) error {
	return html.Write(dir, html.Site{View: v, Figures: figures, Mutants: mutants})
}

// readMutants reads a log of mutants; none for no name.
func readMutants(name string) (*html.Mutation, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, usageError("-mutants: %w", err)
	}
	defer file.Close()
	header, mutants, _, err := reports.ReadMutationLog(file)
	if err != nil {
		return nil, usageError("-mutants: %s: %w", name, err)
	}
	return &html.Mutation{MutationHeader: header, Mutants: mutants}, nil
}
