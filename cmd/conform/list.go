package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/suite"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newList() *cobra.Command {
	var asJSON, names, pairs bool
	var run session.Pattern
	var s session.Selection
	sweep := session.SweepFlag()
	cmd := &cobra.Command{
		Use:   "list [flags]",
		Short: "show families, kernels and cases",
		Long: `List shows the kernels and the pipelines of kernels that conform judges, with the shader that
has each, its families of inputs, and the number of its cases in each sweep. With -cases it shows the names of
the cases instead. With -pairs it shows which pairs of sizes no case brings together. With -shaders these
include the variants of a file. The last lines say how many of the kernels are there. For each missing kernel
they say why it is missing, which entry point it may be now, and whether conform.toml requires it or declares
it to be absent.`,
		Example: `conform list
conform list -shaders my/kernels
conform list -json
conform list -cases -run 'mla.*input=normal'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.FindProject(nil); err != nil {
				return err
			}
			if names || pairs {
				s.Run, s.Sweep = run, sweep
				cases, crashed, err := listedCases(cmd.Context(), s)
				if err != nil {
					return err
				}
				list := listCases
				if pairs {
					list = listPairs
				}
				return cmp.Or(list(cmd.OutOrStdout(), cases, asJSON), crashed)
			}
			if run.Regexp != nil || cmd.Flags().Changed("sweep") {
				return exit.Usagef("-run and -sweep choose cases: give -cases or -pairs too")
			}
			return listKernels(cmd.Context(), cmd.OutOrStdout(), s, asJSON)
		},
	}
	cmd.Flags().BoolVar(&names, "cases", false, "show the names of the cases")
	cmd.Flags().BoolVar(&pairs, "pairs", false, "show which pairs of sizes no case brings together")
	cmd.Flags().Var(&s.Spec, "spec",
		"list the kernels that `FILE`.star specifies instead of the catalogue's; repeatable")
	common := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.Add(common)
	for _, name := range append(session.BuildFlagNames, "pack", "catalogue", "definition-limit") {
		if flag := common.Lookup(name); flag != nil {
			cmd.Flags().AddFlag(flag)
		}
	}
	cmd.Flags().StringVar(&s.Shaders, "shaders", "",
		"look for the kernels in the .metal files under `DIR` instead of Conform's own")
	cmd.Flags().StringVar(&s.Config, "config", "", "take declarations from `FILE` instead of DIR/conform.toml")
	cmd.Flags().Var(&s.Today, "today", "let declarations expire as of `DATE`; today if not given")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	cmd.Flags().Var(&run, "run", "with -cases or -pairs: only those whose name matches `REGEX`")
	cmd.Flags().Var(&sweep, "sweep", "with -cases or -pairs: the `quick|full` sweep")
	return cmd
}

// listPairs says of each kernel with two axes which pairs of sizes its cases bring together, and names all others.
func listPairs(w io.Writer, cases []suite.Case, asJSON bool) error {
	list := suite.PairsIn(cases)
	if asJSON {
		return encodeLines(w, list)
	}
	var failed error
	for _, p := range list {
		_, err := fmt.Fprintf(w, "%s: %d of %d pairs of sizes are judged together\n", p.Kernel, p.Have, p.Of)
		failed = cmp.Or(failed, err)
		for _, missing := range p.Missing {
			_, err := fmt.Fprintf(w, "\tnot %s\n", missing)
			failed = cmp.Or(failed, err)
		}
	}
	return failed
}

// listedCases are the selected cases of the catalogue, or of the shaders that are given, in their variants. The files
// that bring up mistakes of this program are an error to tell besides.
func listedCases(ctx context.Context, s session.Selection) (cases []suite.Case, crashed, err error) {
	if s.Shaders == "" {
		cases, err = s.SelectCases(nil, s.Run)
		return cases, nil, err
	}
	w, err := s.Read(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer w.Source.Release()
	return w.Cases, session.Crashes(w.Source.Broken(), nil), nil
}

// noArguments refuses what is no flag, and says which flag was probably meant.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	has := func(flag string) bool { return cmd.Flags().Lookup(flag) != nil }
	directory := false
	if info, err := os.Stat(args[0]); err == nil {
		directory = info.IsDir()
	}
	switch name := session.Quote(args[0]); {
	case has("base") && has("head"):
		return exit.Usagef("unexpected argument %q (-base DIR and -head DIR name the two versions; %s -h tells what "+
			"else there is)", args[0], cmd.CommandPath())
	case has("shaders") && directory:
		return exit.Usagef("unexpected argument %q (-shaders %s takes the kernels from there; %s -h tells what else "+
			"there is)", args[0], name, cmd.CommandPath())
	case has("run"):
		return exit.Usagef("unexpected argument %q (-run %s selects by name; %s -h tells what else there is)", args[0],
			name, cmd.CommandPath())
	}
	return exit.Usagef("unexpected argument %q (%s -h tells what it takes)", args[0], cmd.CommandPath())
}

// listed is a kernel, or a pipeline of kernels, in the output of list -json.
type listed struct {
	Family string       `json:"family"`
	Kernel string       `json:"kernel"`
	Doc    string       `json:"doc"`
	Axes   []suite.Axis `json:"axes"`
	Quick  int          `json:"quick"` // cases
	Full   int          `json:"full"`
	Inputs []string     `json:"inputs,omitempty"` // families of inputs
	// Shader is the file that exports the kernel; Missing says why none does, or why the
	// pipeline cannot be judged, and Near which entry points it may have become.
	Shader  string   `json:"shader,omitempty"`
	Missing string   `json:"missing,omitempty"`
	Near    []string `json:"near,omitempty"`
	// Required and Absent are where that is declared, file:line.
	Required string `json:"required,omitempty"`
	Absent   string `json:"absent,omitempty"`
	// Kernels are those that a pipeline launches.
	Kernels []string `json:"kernels,omitempty"`
}

// catalogue lists every kernel and pipeline, which of them s covers, and what is declared
// about that.
func catalogue(spec session.Specifications, s *suite.Shaders, declared *suite.Declarations) []listed {
	cases := spec.Cases(suite.Full)
	s.AnalyseFor(cases)
	quick, full := countCases(cases)
	first := map[string]suite.Case{}
	all, taken := suite.Firsts(cases)
	for _, c := range all {
		first[c.Kernel.Name] = c
	}
	about := func(l listed) listed {
		if lack := s.Lacks(first[l.Kernel], taken); lack != nil {
			l.Missing, l.Near = lack.Reason, lack.Near
		}
		l.Required, l.Absent = declared.Asks(first[l.Kernel])
		return l
	}
	var list []listed
	for _, f := range spec.Catalogue() {
		for _, k := range f.Kernels {
			l := listed{Family: f.Name, Kernel: k.Name, Doc: k.Doc, Axes: k.Axes, Quick: quick[k.Name],
				Full: full[k.Name]}
			for _, in := range k.Sweep.Inputs {
				l.Inputs = append(l.Inputs, in.Name)
			}
			if file, err := s.Covers(&k); err == nil {
				l.Shader = file
			}
			list = append(list, about(l))
		}
		for _, c := range f.Pipelines {
			list = append(list,
				about(listed{Family: f.Name, Kernel: c.Name, Doc: c.Doc, Axes: c.Axes, Quick: quick[c.Name],
					Full: full[c.Name], Kernels: c.Kernels}))
		}
	}
	return list
}

func listKernels(ctx context.Context, w io.Writer, sel session.Selection, asJSON bool) error {
	if sel.Spec.Given() && sel.Shaders == "" {
		return exit.Usagef("-spec: say with -shaders DIR where the kernels are, or give -cases")
	}
	declared, _, err := sel.Declarations() // that they have expired is for conform run to say
	if err != nil {
		return err
	}
	s, err := sel.OpenShaders(ctx, "-shaders", sel.Shaders, declared)
	if err != nil {
		return err
	}
	defer s.Release()
	list := catalogue(sel.Spec, s, declared)
	crashed := session.Crashes(s.Broken(), nil)
	if asJSON {
		return cmp.Or(encodeLines(w, list), crashed)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "family\tkernel\tshader\tinputs\tquick\tfull\twhat it computes")
	for _, k := range list {
		shader, inputs := k.Shader, fmt.Sprint(len(k.Inputs))
		switch {
		case k.Kernels != nil:
			shader, inputs = "pipeline", "-"
		case k.Missing != "":
			shader = "-"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", k.Family, k.Kernel, shader, inputs, k.Quick, k.Full, k.Doc)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprint(w, coverage(list))
	return cmp.Or(err, crashed)
}

// coverage sums the list up and says what is missing, a line for each kernel.
func coverage(list []listed) string {
	var kernels, covered, pipelines, quick, full int
	families := map[string]bool{}
	var missing strings.Builder
	for _, k := range list {
		quick, full = quick+k.Quick, full+k.Full
		if k.Kernels != nil {
			if pipelines++; k.Missing != "" && k.Required+k.Absent != "" {
				fmt.Fprintf(&missing, "%s: %s\n", k.Kernel, k.why())
			}
			continue
		}
		families[k.Family] = true
		kernels++
		if k.Missing == "" {
			covered++
			continue
		}
		fmt.Fprintf(&missing, "%s: %s\n", k.Kernel, k.why())
	}
	return fmt.Sprintf("\n%d of %s in %s have a shader; %s; %s, %d full "+
		"ones\n%s",
		covered, printable.Count(kernels, "kernel"), printable.Count(len(families), "family"),
		printable.Count(pipelines, "pipeline"), printable.Count(quick, "quick case"), full, missing.String())
}

// why says why a kernel is missing, and what is declared about it.
func (k listed) why() string {
	text := k.Missing
	if len(k.Near) > 0 {
		text += "; there is " + strings.Join(k.Near, ", ")
	}
	switch {
	case k.Absent != "":
		text += "; as is declared at " + k.Absent
	case k.Required != "":
		text += "; required by " + k.Required
	}
	return text
}

// countCases is the number of cases of each kernel and pipeline in the quick sweep, and in the full one.
func countCases(cases []suite.Case) (quick, full map[string]int) {
	quick, full = map[string]int{}, map[string]int{}
	for _, c := range cases {
		if full[c.Kernel.Name]++; c.Set == suite.Quick {
			quick[c.Kernel.Name]++
		}
	}
	return quick, full
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
			return exit.With(exit.Device, err)
		}
	}
	return nil
}
