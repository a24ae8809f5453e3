package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/regular"
	"metalconform/internal/session"
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
	force  bool
}

// What a threadgroup of a launch may take, and the whole of one.
const (
	scaffoldSteps   = 1 << 22
	scaffoldTimeout = 10 * time.Second
)

func newNew() *cobra.Command {
	f := &newFlags{CompileFlags: config.NewCompileFlags()}
	cmd := &cobra.Command{
		Use:   "new [flags] [DIR | FILE.metal]",
		Short: "write first specifications of kernels",
		Long: `New writes conform.toml and a specification for each kernel of a directory. It takes the working
directory if none is named. Files that are there already stay as they are. If FILE is named, it prints the
specification of the kernel -kernel of that file.

Arguments, types and structs are those of the source. The source does not say how long buffers are, nor how
the kernel is launched. New launches the kernel on the simulator, which shows how far memory is read and
written. What follows from that is marked as a guess. You write the oracle, which says what the kernel
computes. Until then the kernel is not judged. conform spec check says what else is missing.`,
		Example: `conform new                                  all kernels of this directory
conform new my.metal -kernel softmax_rows > softmax.star
conform spec check softmax.star -shaders .
conform run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exit.Usagef("want one directory or one file")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "."
			if len(args) == 1 {
				name = args[0]
			}
			if info, err := os.Stat(name); err == nil && info.IsDir() {
				return f.directory(cmd.Context(), cmd.OutOrStdout(), name)
			}
			return f.print(cmd.Context(), cmd.OutOrStdout(), name)
		},
	}
	cmd.Flags().StringVar(&f.kernel, "kernel", "",
		"specify only the kernel `NAME`; may be left out if the file has one only")
	cmd.Flags().Int64Var(&f.work, "launch-budget", scaffold.UsualWork,
		"launch no more after `N` steps: instructions of threads, and one for each byte of a buffer")
	cmd.Flags().BoolVar(&f.force, "force", false, "overwrite specifications that are there")
	f.CompileFlags.Add(cmd.Flags())
	return cmd
}

// print prints the specification of one kernel of a file.
func (f *newFlags) print(ctx context.Context, stdout io.Writer, file string) error {
	units, err := unitsOf(&f.CompileFlags, []string{file})
	if err != nil {
		return err
	}
	program, infos, err := f.kernels(units[0])
	if err != nil {
		return err
	}
	var names []string
	for _, info := range infos {
		names = append(names, info.Name)
	}
	i := slices.Index(names, f.kernel)
	switch {
	case f.kernel == "" && len(names) == 1:
		i = 0
	case f.kernel == "":
		return exit.Usagef("-kernel: %s has %s: name one", file, strings.Join(names, ", "))
	case i < 0:
		return exit.Usagef("-kernel: %s has no kernel %q: it has %s%s", file, f.kernel, strings.Join(names, ", "),
			config.DidYouMean(f.kernel, names))
	}
	text, err := f.specification(ctx, file, program, infos[i])
	if err != nil {
		return exit.With(exit.Fails, err)
	}
	_, err = io.WriteString(stdout, text)
	return err
}

// specification is the text of a first specification.
func (f *newFlags) specification(ctx context.Context, file string, program *metalrun.Program,
	info metalrun.KernelInfo) (string, error) {
	m := sim.Semantics{Steps: scaffoldSteps, ThreadSteps: explore.MaxThreadSteps,
		TotalSteps: sim.StepsIn(scaffoldTimeout)}
	plain := sim.New(m)
	m.Check = true
	checking := sim.New(m)
	defer plain.Close()
	defer checking.Close()
	s, err := scaffold.New(ctx, info, program, plain, checking, f.work)
	if err != nil {
		return "", fmt.Errorf("%s: %w", info.Name, err)
	}
	return s.Text(file), nil
}

// kernels are those of a file as it is compiled; of a file with variants, in the first.
func (f *newFlags) kernels(u checkedUnit) (*metalrun.Program, []metalrun.KernelInfo, error) {
	p, err := metalrun.Analyse(u.source, u.options)
	if err == nil {
		p, err = session.Specialise(p, u.constants)
	}
	if err != nil {
		return nil, nil, exit.With(exit.Fails, err)
	}
	infos, err := p.Kernels()
	if err != nil {
		return nil, nil, exit.With(exit.Fails, err)
	}
	return p, infos, nil
}

// mostNewKernels bounds the specifications that are written at once.
const mostNewKernels = 200

// directory writes conform.toml and a specification for each kernel of a directory.
func (f *newFlags) directory(ctx context.Context, stdout io.Writer, dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, config.Name)); err != nil {
		if err := session.NotOfProjects(dir); err != nil {
			return err
		}
	}
	units, err := unitsOf(&f.CompileFlags, []string{dir})
	if err != nil {
		return err
	}
	w := &newProject{newFlags: f, dir: dir, stdout: stdout}
	for i, u := range units {
		if i > 0 && u.source.Name == units[i-1].source.Name {
			continue // another variant
		}
		if err := w.file(ctx, u); err != nil {
			return err
		}
	}
	switch {
	case f.kernel != "" && w.written+w.kept+len(w.failed) == 0:
		return exit.Usagef("-kernel: no file of %s has a kernel %q", dir, f.kernel)
	case w.written+w.kept == 0 && len(w.failed) == 0:
		return exit.Usagef("no kernel in the files of %s", dir)
	}
	if err := w.declare(); err != nil {
		return err
	}
	if len(w.failed) > 0 {
		return exit.With(exit.Fails, errors.Join(w.failed...))
	}
	next := "conform run"
	if dir != "." {
		next += " " + dir
	}
	_, err = fmt.Fprintf(stdout, "next: say in each oracle what the kernel computes, then %s\n", next)
	return err
}

// newProject is a directory on its way to be a project.
type newProject struct {
	*newFlags
	dir           string
	stdout        io.Writer
	written, kept int
	failed        []error
}

// file writes the specifications of the kernels of a file. A file that does not compile keeps no other one from its
// own.
func (w *newProject) file(ctx context.Context, u checkedUnit) error {
	program, infos, err := w.kernels(u)
	if err != nil {
		w.failed = append(w.failed, err)
		return nil
	}
	for _, info := range infos {
		switch {
		case w.kernel != "" && info.Name != w.kernel:
			continue
		case ctx.Err() != nil:
			return exit.With(exit.Device, errors.New("interrupted"))
		case w.written == mostNewKernels:
			return exit.Usagef("%s has more than %d kernels: name one with -kernel, or one file", w.dir, mostNewKernels)
		}
		if err := w.kernelOf(ctx, filepath.FromSlash(u.source.Name), program, info); err != nil {
			return err
		}
	}
	return nil
}

// kernelOf writes the specification of one kernel beside its file.
func (w *newProject) kernelOf(ctx context.Context, file string, program *metalrun.Program,
	info metalrun.KernelInfo) error {
	name := filepath.Join(filepath.Dir(file), info.Name+".star")
	if _, err := os.Lstat(name); err == nil && !w.force {
		w.kept++
		fmt.Fprintf(w.stdout, "kept %s: it is there already (-force writes it anew)\n", name)
		return nil
	}
	text, err := w.specification(ctx, filepath.Base(file), program, info)
	if err != nil {
		w.failed = append(w.failed, fmt.Errorf("%s: %w", file, err))
		return nil
	}
	if err := regular.Write(name, []byte(text)); err != nil {
		return exit.With(exit.Device, err)
	}
	w.written++
	fmt.Fprintf(w.stdout, "wrote %s: %s of %s, %s to confirm\n", name, printable.Line(info.Name), file,
		guesses(strings.Count(text, "# guess")))
	return nil
}

// declare writes conform.toml unless it is there.
func (w *newProject) declare() error {
	name := filepath.Join(w.dir, config.Name)
	if _, err := os.Lstat(name); err == nil {
		fmt.Fprintf(w.stdout, "kept %s: it is there already\n", name)
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return exit.With(exit.Device, err)
	}
	if err := regular.Write(name, []byte(w.declarations())); err != nil {
		return exit.With(exit.Device, err)
	}
	fmt.Fprintf(w.stdout, "wrote %s\n", name)
	return nil
}

// declarations are the text of conform.toml.
func (w *newProject) declarations() string {
	var b strings.Builder
	b.WriteString("# How Conform judges the kernels of this directory. conform help verdicts lists what else may " +
		"stand here.\n" +
		"# Specifications are all .star files of the directory; specifications = [\"a.star\"] names some.\n" +
		"# math = [\"fast\"]  # as the host compiles; without it kernels are judged in safe and in fast math\n" +
		"require = \"all\"  # a kernel that is specified and not there fails\n")
	defines, undefines, preludes := w.lines("-D "), w.lines("-U "),
		append(w.lines("-include "), w.lines("-prelude ")...)
	if len(defines)+len(undefines)+len(preludes)+len(w.Include) == 0 {
		return b.String()
	}
	b.WriteString("\n[[compile]]\nfile = \".*\"\n")
	list := func(key string, values []string) {
		if len(values) > 0 {
			fmt.Fprintf(&b, "%s = [", key)
			for i, v := range values {
				fmt.Fprintf(&b, "%s%q", map[bool]string{true: ", "}[i > 0], v)
			}
			b.WriteString("]\n")
		}
	}
	list("include", w.inside(w.Include))
	list("define", defines)
	list("undefine", undefines)
	list("prelude", w.inside(preludes))
	return b.String()
}

// lines are the operands of a flag that adds lines ahead of the sources.
func (w *newProject) lines(flag string) (list []string) {
	for _, given := range w.PrologueFlags {
		if operand, ok := strings.CutPrefix(given, flag); ok {
			list = append(list, operand)
		}
	}
	return list
}

// inside are names as conform.toml has them: from its directory.
func (w *newProject) inside(names []string) (list []string) {
	for _, name := range names {
		if rel, err := filepath.Rel(w.dir, name); err == nil {
			name = rel
		}
		list = append(list, path.Clean(filepath.ToSlash(name)))
	}
	return list
}

// guesses is so many of them.
func guesses(n int) string {
	if n == 1 {
		return "1 guess"
	}
	return fmt.Sprintf("%d guesses", n)
}
