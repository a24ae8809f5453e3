package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"time"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/regular"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/judge"

	"github.com/spf13/cobra"
)

// judgeFlags are the flags of conform judge.
type judgeFlags struct {
	spec    session.Specifications
	kernel  string
	seed    session.Seed
	json    bool
	daemon  bool
	timeout time.Duration
	steps   int64
	grid    int // threadgroups; 0 for the simulator's own
	bounds  config.CompileBounds
}

const (
	mostRequest = 4 << 20  // bytes of a line
	mostLine    = 64 << 20 // bytes after which a line is no longer looked for the end of
	mostBad     = 1 << 10  // lines in a row that are no requests: what follows them is none either
	mostSteps   = 1 << 24  // instructions of a threadgroup
)

func newJudge() *cobra.Command {
	f := &judgeFlags{timeout: 10 * time.Second, steps: mostSteps}
	cmd := &cobra.Command{
		Use:   "judge -spec FILE [flags] SOURCE",
		Short: "judge one source, for programs that write kernels",
		Long: `Judge judges one .metal file by a specification on the simulator. It prints one list, the most
severe finding first: errors of the compiler, faults, cheats, another formula, wrong values, errors beyond
roundings, lost accuracy, and what is not decided. Each finding has the smallest case that shows it. The work
of the kernel follows, next to the work of the definition.

Inputs are drawn from the seed, a random one if not given. So are points between those of the specification
and beyond them. A source cannot be tuned to the tests.

With -daemon, each line of standard input is a request in JSON: {"id", "source", "files", "kernel", "seed"}.
Each line of standard output is a verdict. Results of definitions are kept between requests.

The exit status is 0 if the source conforms, 1 if not, 2 for a mistake on the command line or in the
specification, and 3 if it could not be judged. With -daemon it is 0 at the end of the input.`,
		Example: `conform judge -spec softmax.star k.metal
conform judge -spec softmax.star -json -seed 7 k.metal
conform judge -spec kernels.star -daemon <requests >verdicts`,
		Args: func(_ *cobra.Command, args []string) error {
			if f.daemon && len(args) > 0 || !f.daemon && len(args) != 1 {
				return exit.Usagef("want one .metal file, or -daemon and none")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return judgeSource(cmd.Context(), *f, args, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.Var(&f.spec, "spec", "judge by what `FILE`.star specifies; repeatable")
	f.spec.AddBudget(flags)
	f.spec.AddLimits(flags)
	flags.StringVar(&f.kernel, "kernel", "", "judge the kernel `NAME`; the only one of the specification if not given")
	flags.Var(&f.seed, "seed", "draw inputs and points from seed `N`; a random one if not given")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.BoolVar(&f.daemon, "daemon", false, "judge requests from standard input, a line of JSON each")
	flags.DurationVar(&f.timeout, "timeout", f.timeout,
		"stop judging a source whose launches take more steps than one core takes in `DURATION`")
	flags.Int64Var(&f.steps, "launch-steps", f.steps,
		"let a threadgroup execute `N` instructions before it counts as a runaway")
	session.AddThreadgroups(flags, &f.grid)
	f.bounds.Add(flags)
	return cmd
}

// judge is the judge that the flags describe.
func (f judgeFlags) judge() (*judge.Judge, error) {
	if !f.spec.Given() {
		return nil, exit.Usagef("-spec: say what the kernel has to compute")
	}
	if f.timeout <= 0 {
		return nil, exit.Usagef("-timeout %v: want more than 0", f.timeout)
	}
	if f.steps <= 0 {
		return nil, exit.Usagef("-launch-steps %d: want more than 0", f.steps)
	}
	own := uint64(f.seed)
	for own == 0 {
		own = rand.Uint64() >> 11 // a number of JSON
	}
	bounded := func(m sim.Semantics) metalrun.Runner {
		m.Steps, m.TotalSteps, m.Threadgroups = f.steps, sim.StepsIn(f.timeout), f.grid
		return sim.New(m)
	}
	devices := judge.Devices{
		Analyse: func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
			opts = f.bounds.With(opts)
			return metalrun.Analyse(src, opts)
		},
		Runner:  bounded(sim.Semantics{Check: true}),
		Counter: bounded(sim.Semantics{Count: true}),
		Exact: suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
			return bounded(sim.Exactly(a))
		}),
		Adversaries: func(seed uint64) []suite.Adversary {
			var list []suite.Adversary
			for n := range session.DefaultAdversaries {
				taking := func(choices int) metalrun.Runner {
					return bounded(sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Number: n + 1,
						Choices: choices}})
				}
				list = append(list, suite.Adversary{Number: n + 1, Runner: taking(-1), Taking: taking})
			}
			return list
		},
	}
	return judge.New(f.spec.Families, devices, own, sim.StepsIn(f.timeout)), nil
}

func judgeSource(ctx context.Context, f judgeFlags, args []string, stdin io.Reader, stdout io.Writer) error {
	j, err := f.judge()
	if err != nil {
		return err
	}
	if f.daemon {
		return serveRequests(ctx, j, stdin, stdout)
	}
	request, err := requestOf(args[0])
	if err != nil {
		return exit.Usagef("%v", err)
	}
	request.Kernel = f.kernel
	v := j.Verdict(ctx, request)
	if f.json {
		err = encodeVerdict(stdout, v)
	} else {
		err = printVerdict(stdout, v)
	}
	switch {
	case err != nil:
		return exit.With(exit.Device, err)
	case v.Crash != nil:
		return exit.With(exit.Device, fmt.Errorf("%s: %w", v.Kernel, v.Crash))
	case v.Error != "":
		return exit.Usagef("%s", v.Error)
	case len(v.Findings) == 0 && v.NotJudged != "":
		return exit.Silently(exit.Device)
	case !v.Conforms:
		return exit.Silently(exit.Fails)
	}
	return nil
}

// requestOf is a source with the headers beside it.
func requestOf(name string) (r judge.Request, err error) {
	read := config.SourceReader(name, nil)
	text, err := read(filepath.ToSlash(filepath.Clean(name)))
	if err != nil {
		return r, err
	}
	r = judge.Request{Name: filepath.Base(name), Source: string(text), Files: map[string]string{}}
	for _, pattern := range []string{"*.h", "*.metalh", "*.hpp"} {
		headers, err := filepath.Glob(filepath.Join(filepath.Dir(name), pattern))
		if err != nil {
			return r, err
		}
		for _, header := range headers {
			text, err := read(filepath.ToSlash(header))
			if err != nil {
				return r, err
			}
			r.Files[filepath.Base(header)] = string(text)
		}
	}
	return r, nil
}

// serveRequests answers requests until there are none, or only what is no request comes.
func serveRequests(ctx context.Context, j *judge.Judge, stdin io.Reader, stdout io.Writer) error {
	lines := bufio.NewReader(stdin)
	for bad := 0; ctx.Err() == nil; {
		line, err := requestLine(lines)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return exit.With(exit.Device, err)
		}
		var r judge.Request
		var v judge.Verdict
		if len(line) > mostRequest {
			v.Error = fmt.Sprintf("a request of more than %d bytes", mostRequest)
		} else if err := regular.KnownJSON(line, &r); err != nil {
			v.ID, v.Error = r.ID, fmt.Sprintf("no request: %v", err)
		} else {
			v, bad = j.Verdict(ctx, r), -1
		}
		bad++
		if v.Crash != nil {
			v.Error += keepCrash([]string{"judge", "-daemon"}, v.Crash)
		}
		if err := encodeVerdict(stdout, v); err != nil {
			return exit.With(exit.Device, err)
		}
		if bad == mostBad {
			return exit.Usagef("standard input: %d lines in a row are no requests, the last: %s", bad, v.Error)
		}
	}
	return nil
}

// requestLine reads a line, of one that is too long the beginning. The error of the last is nil.
func requestLine(from *bufio.Reader) (line []byte, err error) {
	for read := 0; ; {
		part, err := from.ReadSlice('\n')
		if read += len(part); read > mostLine {
			return nil, fmt.Errorf("standard input: a line has more than %d bytes", mostLine)
		}
		if len(line) <= mostRequest {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
			err = nil
		}
		return line, err
	}
}

func encodeVerdict(w io.Writer, v judge.Verdict) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// printVerdict writes a verdict for a reader.
func printVerdict(w io.Writer, v judge.Verdict) error {
	if v.Error != "" {
		return nil
	}
	fmt.Fprintln(w, judgedVerdict(v))
	for i, f := range v.Findings {
		place := ""
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d: ", f.File, f.Line, f.Column)
		}
		fmt.Fprintf(w, "%d. %s (%s): %s%s\n", i+1, f.Kind, f.Check, place, f.Text)
		if f.Case != "" {
			fmt.Fprintf(w, "\tin %s, of which the smallest is %s\n", printable.Count(f.Cases, "case"), f.Case)
		}
	}
	if v.NotJudged != "" && len(v.Findings) > 0 {
		fmt.Fprintf(w, "not judged to the end: %s\n", v.NotJudged)
	}
	for _, u := range v.Unreached {
		fmt.Fprintln(w, u)
	}
	for _, work := range v.Work {
		fmt.Fprintf(w, "%s: %d operations, %d bytes of device memory; the definition has %d bytes", work.Case,
			work.Counted.Operations(), work.Counted.Device, work.Definition.Bytes)
		if work.Definition.Operations > 0 {
			fmt.Fprintf(w, " and %d operations", work.Definition.Operations)
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintf(w, "%s, seed %d\n", printable.Count(v.Cases, "case"), v.Seed)
	return err
}

// judgedVerdict is the verdict on a source in a line.
func judgedVerdict(v judge.Verdict) reports.Verdict {
	if v.Conforms {
		return reports.Verdict{Outcome: reports.Passed,
			Reason: fmt.Sprintf("%s, %s", v.Kernel, printable.Count(v.Cases, "case"))}
	}
	if len(v.Findings) == 0 && v.NotJudged != "" {
		return reports.Verdict{Outcome: reports.NotJudged, Reason: v.Kernel + ": " + v.NotJudged}
	}
	reason := v.Kernel
	if len(v.Findings) > 0 {
		f := v.Findings[0]
		reason += ": " + string(f.Kind)
		if f.Line > 0 {
			reason += fmt.Sprintf(" at %s:%d", f.File, f.Line)
		}
		if f.Cases > 0 {
			reason += " in " + printable.Count(f.Cases, "case")
		}
		if n := len(v.Findings) - 1; n > 0 {
			reason += ", and " + printable.Count(n, "more finding")
		}
	}
	return reports.Verdict{Outcome: reports.Failed, Reason: reason}
}
