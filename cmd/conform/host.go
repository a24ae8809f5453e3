package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/metalrun/host"
	"metalconform/metalrun/host/abi"
	"metalconform/metalrun/host/kit"
	"metalconform/reports/diagnostics"
)

// hosting is what the flags of host say.
type hosting struct {
	library string
	gpu     string
	math    string
	stop    bool
	strict  bool
	report  session.ReportFlag
}

func newHost() *cobra.Command {
	h := hosting{}
	for _, format := range diagnostics.Formats() {
		h.report.Formats = append(h.report.Formats, string(format))
	}
	cmd := &cobra.Command{
		Use:   "host [flags] -- PROGRAM [ARGUMENT...]",
		Short: "run a program that uses Metal, and check it",
		Long: `Host runs a program that uses Metal on Linux, with the simulator as its GPU, and checks what
the program and its kernels do: accesses out of range, hazards between dispatches, memory that nothing has
written, buffers released too early, and what Metal's debug layer asserts. The program goes on after a finding.

The program is linked with a library that conform host build makes. conform host flags shows what a build needs.

The exit status is 0 if nothing was found, 1 if there are findings that are more than a note, 2 for a mistake on
the command line, and 3 if the program cannot be started or dies. The verdict shows the program's own status.`,
		Example: `conform host build
conform host flags
conform host -- ./program --its-flags
conform host -gpu M4 -report sarif=host.sarif -- ./tests`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || cmd.ArgsLenAtDash() != 0 {
				return exit.Usagef("want -- and a program: conform host -- ./program")
			}
			return h.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&h.gpu, "gpu", host.Devices()[0], "have the program see the GPU of `CHIP`: "+
		strings.Join(host.Devices(), ", "))
	flags.StringVar(&h.math, "math", "", config.MathUsage+"; as the program asks if not given")
	flags.BoolVar(&h.stop, "stop", false, "end the program at the first finding that is more than a note")
	flags.BoolVar(&h.strict, "strict", false, "fail for notes, too")
	h.report.Add(flags)
	addLibrary(cmd, &h.library)
	cmd.AddCommand(newHostBuild(), newHostFlags())
	return cmd
}

// addLibrary adds the flag that names the folder of the library.
func addLibrary(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "library", "", "`DIRECTORY` of the library that programs link; in the user's cache if "+
		"not given")
}

// folder is the folder of the library.
func folder(given string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	return kit.Folder()
}

func newHostBuild() *cobra.Command {
	var library, checkout string
	cmd := &cobra.Command{
		Use:   "build [flags]",
		Short: "build the library that programs link",
		Long: `Build makes the library that a program with Metal links on Linux, and its headers, with clang and
GNUstep. It says which of Debian's packages are missing. The folder also gets a toolchain file of CMake and a file
of pkg-config.`,
		Example: `conform host build
conform host build -library build/metal -checkout ~/conform`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := folder(library)
			if err == nil {
				err = kit.Build(cmd.Context(), dir, checkout)
			}
			if err != nil {
				return exit.With(exit.Device, err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), dir)
			return nil
		},
	}
	addLibrary(cmd, &library)
	cmd.Flags().StringVar(&checkout, "checkout", "", "build the part in Go from the sources of Conform in "+
		"`DIRECTORY`; those around the current one if not given")
	return cmd
}

func newHostFlags() *cobra.Command {
	var library string
	cmd := &cobra.Command{
		Use:   "flags [flags] [compiler|compile|link|cmake]",
		Short: "show what the build of a program needs",
		Long: `Flags shows the compiler, its flags and those of the linker: all of them, or one kind, for use in a
command. cmake is the path of a toolchain file.`,
		Example: `conform host flags
clang-16 $(conform host flags compile) -c program.m
clang-16 program.o $(conform host flags link) -o program
cmake -DCMAKE_TOOLCHAIN_FILE=$(conform host flags cmake) ..`,
		ValidArgs: []string{"compiler", "compile", "link", "cmake"},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := folder(library)
			if err != nil {
				return exit.With(exit.Device, err)
			}
			f, err := kit.ReadFlags(dir)
			if err != nil {
				return exit.With(exit.Device, err)
			}
			rows := [][2]string{{"compiler", f.Clang}, {"compile", strings.Join(f.Compile, " ")},
				{"link", strings.Join(f.Link, " ")}, {"cmake", filepath.Join(dir, "conform-host.cmake")}}
			for _, row := range rows {
				switch {
				case len(args) == 0:
					fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", row[0], row[1])
				case len(args) == 1 && args[0] == row[0]:
					fmt.Fprintln(cmd.OutOrStdout(), row[1])
					return nil
				}
			}
			if len(args) > 0 {
				return exit.Usagef("%s: want compiler, compile, link or cmake", strings.Join(args, " "))
			}
			return nil
		},
	}
	addLibrary(cmd, &library)
	return cmd
}

// run runs a program and reports what was found.
func (h *hosting) run(cmd *cobra.Command, args []string) error {
	if _, err := host.New(host.Options{Device: h.gpu, Math: h.math}); err != nil {
		return exit.With(exit.Usage, err)
	}
	dir, err := folder(h.library)
	if err != nil {
		return exit.With(exit.Device, err)
	}
	file, err := os.CreateTemp("", "conform-host-*.jsonl")
	if err != nil {
		return exit.With(exit.Device, err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	c := exec.CommandContext(cmd.Context(), args[0], args[1:]...)
	// What the program writes is its own affair.
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, terminal.Unsanitized(cmd.OutOrStdout()),
		terminal.Unsanitized(cmd.ErrOrStderr())
	c.Env = append(os.Environ(), abi.Variable+"="+
		abi.Settings(host.Options{Device: h.gpu, Math: h.math, Stop: h.stop}, file.Name()),
		"LD_LIBRARY_PATH="+strings.TrimSuffix(dir+":"+os.Getenv("LD_LIBRARY_PATH"), ":"))
	ended := c.Run()
	var status *exec.ExitError
	if ended != nil && !errors.As(ended, &status) {
		return exit.With(exit.Device, ended)
	}
	summary, whole, err := readLines(file)
	if err != nil {
		return exit.With(exit.Device, err)
	}
	return h.judge(cmd, summary, whole, c.ProcessState.String(), ended == nil || status.Exited())
}

// readLines reads the report of a program. whole is false if the program did not get to its end.
func readLines(from io.Reader) (s host.Summary, whole bool, err error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var l host.Line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return s, false, err
		}
		if l.Finding != nil {
			s.Findings = append(s.Findings, *l.Finding)
		}
		if l.Summary != nil {
			s, whole = *l.Summary, true
		}
	}
	return s, whole, lines.Err()
}

// judge prints the verdict and the findings. exited says that the program ended by itself.
func (h *hosting) judge(cmd *cobra.Command, s host.Summary, whole bool, status string, exited bool) error {
	failing := 0
	for _, f := range s.Findings {
		if f.Fails() || h.strict {
			failing++
		}
	}
	r := h.report.OrText()[0]
	w := cmd.OutOrStdout()
	if r.File != "" {
		file, err := os.Create(r.File)
		if err != nil {
			return exit.With(exit.Device, err)
		}
		defer file.Close()
		w = file
	}
	if diagnostics.Format(r.Format) != diagnostics.Text || r.File != "" {
		if err := h.write(w, diagnostics.Format(r.Format), s); err != nil {
			return exit.With(exit.Device, err)
		}
	}
	if diagnostics.Format(r.Format) == diagnostics.Text || r.File != "" {
		verdict := "PASS: nothing found"
		switch {
		case failing > 0:
			verdict = "FAIL: " + printable.Count(failing, "finding")
		case !exited || !whole:
			verdict = "NOT JUDGED: nothing found until the report ends"
		}
		if notes := len(s.Findings) - failing; notes > 0 {
			verdict += ", " + printable.Count(notes, "note")
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s; program: %s; %s of %s\n", verdict, status,
			printable.Count(s.Dispatches, "dispatch"), printable.Count(len(s.Kernels), "kernel"))
		for _, f := range s.Findings {
			fmt.Fprintln(cmd.OutOrStdout(), printable.Text(f.String()))
		}
	}
	switch {
	case failing > 0:
		return exit.Silently(exit.Fails)
	case !exited:
		return exit.With(exit.Device, fmt.Errorf("the program has died: %s", status))
	case !whole:
		return exit.With(exit.Device, errors.New("the program has not used the library: is it linked with "+
			"libMetal.so of conform host build?"))
	}
	return nil
}

// write writes findings for other programs.
func (h *hosting) write(w io.Writer, format diagnostics.Format, s host.Summary) error {
	if format == diagnostics.JSON {
		return encodeLines(w, s.Findings)
	}
	if format == diagnostics.GitHub {
		w = terminal.Unsanitized(w) // it escapes what it writes
	}
	out := diagnostics.NewWriter(w, diagnostics.Style{Format: format, Tool: session.Release()})
	var list []diagnostics.Diagnostic
	for _, f := range s.Findings {
		list = append(list, hostDiagnostic(f))
	}
	if err := out.Write(list, func(string) (string, bool) { return "", false }); err != nil {
		return err
	}
	return out.Close()
}

// hostDiagnostic is a finding as other programs read it.
func hostDiagnostic(f host.Finding) diagnostics.Diagnostic {
	d := diagnostics.Diagnostic{Severity: diagnostics.Error, Detail: strings.TrimSpace(f.Command + "\n" + f.Remedy)}
	d.Position, d.Code, d.Message = f.Position, f.Check, f.Message
	if f.Grade == metalrun.GradeNote {
		d.Severity = diagnostics.Note
	}
	if f.Other != nil {
		d.Notes = append(d.Notes, metalrun.DiagnosticNote{Position: f.Other.Position, Message: f.Other.Command})
	}
	return d
}
