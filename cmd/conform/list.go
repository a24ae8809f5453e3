package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"metalconform/suite"
	"metalconform/suite/kernels"

	"github.com/spf13/cobra"
)

func newList() *cobra.Command {
	var asJSON, names bool
	var run pattern
	sweep := sweepFlag()
	cmd := &cobra.Command{
		Use:   "list [flags]",
		Short: "show families, kernels and cases",
		Long: `List shows the kernels that conform judges, and the chains of kernels, with the
number of cases of each sweep, or with -cases the names of the cases themselves.`,
		Example: `conform list
conform list -json
conform list -cases -run 'mla.*input=normal'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if names {
				cases, err := selectCases(run, sweep)
				if err != nil {
					return err
				}
				return listCases(cmd.OutOrStdout(), cases, asJSON)
			}
			if run.Regexp != nil || cmd.Flags().Changed("sweep") {
				return usageError("-run and -sweep choose cases: give -cases too")
			}
			return listKernels(cmd.OutOrStdout(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&names, "cases", false, "show the names of the cases")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	cmd.Flags().Var(&run, "run", "with -cases: only those whose name matches `REGEX`")
	cmd.Flags().Var(&sweep, "sweep", "with -cases: the `quick|full` sweep")
	return cmd
}

// noArguments refuses what is no flag.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("unexpected argument %q (%s -h tells what it takes)", args[0], cmd.CommandPath())
	}
	return nil
}

// listed is a kernel, or a chain of kernels, in the output of list -json.
type listed struct {
	Family string       `json:"family"`
	Kernel string       `json:"kernel"`
	Doc    string       `json:"doc"`
	Axes   []suite.Axis `json:"axes"`
	Quick  int          `json:"quick"` // cases
	Full   int          `json:"full"`
	// Kernels are those that a chain launches.
	Kernels []string `json:"kernels,omitempty"`
}

func listKernels(w io.Writer, asJSON bool) error {
	quick, full := countCases(suite.Quick), countCases(suite.Full)
	var list []listed
	for _, f := range kernels.All() {
		for _, k := range f.Kernels {
			list = append(list, listed{f.Name, k.Name, k.Doc, k.Axes, quick[k.Name], full[k.Name], nil})
		}
		for _, c := range f.Chains {
			list = append(list, listed{f.Name, c.Name, c.Doc, c.Axes, quick[c.Name], full[c.Name], c.Kernels})
		}
	}
	if asJSON {
		return encodeLines(w, list)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "family\tkernel\tquick\tfull\twhat it computes")
	for _, k := range list {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\n", k.Family, k.Kernel, k.Quick, k.Full, k.Doc)
	}
	return table.Flush()
}

// countCases is the number of cases of each kernel and chain.
func countCases(set suite.Set) map[string]int {
	n := map[string]int{}
	for _, c := range suite.Cases(kernels.All(), set) {
		n[c.Kernel.Name]++
	}
	return n
}

func listCases(w io.Writer, cases []suite.Case, asJSON bool) error {
	if !asJSON {
		for _, c := range cases {
			fmt.Fprintln(w, c.Name)
		}
		return nil
	}
	type listedCase struct {
		Case   string `json:"case"`
		Kernel string `json:"kernel"`
		Family string `json:"family"`
		Sweep  string `json:"sweep"` // the smallest that has the case
	}
	var list []listedCase
	for _, c := range cases {
		list = append(list, listedCase{c.Name, c.Kernel.Name, c.Family, c.Set.String()})
	}
	return encodeLines(w, list)
}

// encodeLines writes each element of list as a line of JSON.
func encodeLines[T any](w io.Writer, list []T) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, x := range list {
		if err := encoder.Encode(x); err != nil {
			return &exit{exitDevice, err}
		}
	}
	return nil
}
