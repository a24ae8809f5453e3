package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite/explore"
	"metalconform/suite/scaffold"

	"github.com/spf13/cobra"
)

// newFlags are the flags of conform new.
type newFlags struct {
	config.CompileFlags
	kernel string
	work   int64 // of all launches
}

// What a threadgroup of a launch may take, and the whole of one.
const (
	scaffoldSteps   = 1 << 22
	scaffoldTimeout = 10 * time.Second
)

func newNew() *cobra.Command {
	f := &newFlags{CompileFlags: config.NewCompileFlags()}
	cmd := &cobra.Command{
		Use:   "new FILE.metal -kernel NAME [flags]",
		Short: "write a first specification of a kernel",
		Long: `New prints a specification in Starlark of one kernel of a file. Arguments, types and
structs are those of the source. How long buffers are and how the kernel is launched the
source does not say: launches on the simulator show how far memory is read and written, and
what follows from that is marked as a guess. What the kernel computes is for you to say:
until then the definition gives zeros, and conform spec check says what else is missing.`,
		Example: `conform new my.metal -kernel softmax_rows > softmax.star
conform spec check softmax.star -shaders .
conform run -spec softmax.star -shaders .`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return exit.Usagef("want one file")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), args[0])
		},
	}
	cmd.Flags().StringVar(&f.kernel, "kernel", "",
		"specify the kernel `NAME`; may be left out if the file has one only")
	cmd.Flags().Int64Var(&f.work, "launch-budget", scaffold.UsualWork,
		"launch no more after `N` steps: instructions of threads, and one for each byte of a buffer")
	f.CompileFlags.Add(cmd.Flags())
	return cmd
}

func (f *newFlags) run(ctx context.Context, stdout io.Writer, file string) error {
	program, err := f.program(file)
	if err != nil {
		return err
	}
	infos, err := program.Kernels()
	if err != nil {
		return exit.With(exit.Fails, err)
	}
	var names []string
	for _, info := range infos {
		names = append(names, info.Name)
	}
	if f.kernel == "" && len(names) == 1 {
		f.kernel = names[0]
	}
	for _, info := range infos {
		if info.Name != f.kernel {
			continue
		}
		m := sim.Semantics{Steps: scaffoldSteps, ThreadSteps: explore.MaxThreadSteps,
			TotalSteps: sim.StepsIn(scaffoldTimeout)}
		plain := sim.New(m)
		m.Check = true
		checking := sim.New(m)
		defer plain.Close()
		defer checking.Close()
		s, err := scaffold.New(ctx, info, program, plain, checking, f.work)
		if err != nil {
			return exit.With(exit.Fails, fmt.Errorf("%s: %w", info.Name, err))
		}
		_, err = io.WriteString(stdout, s.Text(file))
		return err
	}
	if f.kernel == "" {
		return exit.Usagef("-kernel: %s has %s: name one", file, strings.Join(names, ", "))
	}
	return exit.Usagef("-kernel: %s has no kernel %q: it has %s%s", file, f.kernel, strings.Join(names, ", "),
		config.DidYouMean(f.kernel, names))
}

// program is the file as it is compiled.
func (f *newFlags) program(file string) (*metalrun.Program, error) {
	sources, err := f.Sources([]string{file})
	if err != nil {
		return nil, err
	}
	if len(sources) != 1 {
		return nil, exit.Usagef("%s: want one file", file)
	}
	p, err := metalrun.Analyse(sources[0], f.Options())
	if err != nil {
		return nil, exit.With(exit.Fails, err)
	}
	return p, nil
}
