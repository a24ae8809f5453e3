package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/metalrun"

	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	var asJSON bool
	var pass string
	version := version(metalrun.DefaultVersion)
	cmd := &cobra.Command{
		Use:   "check [flags] FILE...",
		Short: "look for errors in .metal files",
		Long: `Check compiles Metal source without running it and reports what Apple's compiler
would refuse, and what the simulator does not support, as file:line:col: message.
Quoted includes are read from beside the file that has them. The exit status is
1 if there is anything to report, and 2 if a file cannot be read. With -print it
shows what a pass of the compiler made of the source.`,
		Example: `conform check my.metal
conform check -json kernels/*.metal
conform check -std 3.2 my.metal
conform check -print ir my.metal`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("print") && !slices.Contains(metalrun.Passes(), pass) {
				return usageError("-print %q: want %s", pass, strings.Join(metalrun.Passes(), ", "))
			}
			return check(cmd.OutOrStdout(), args, metalrun.CompileOptions{LanguageVersion: metalrun.Version(version)}, pass, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per diagnostic")
	cmd.Flags().StringVar(&pass, "print", "", "print what a `PASS` made of the source: tokens, tree, types or ir")
	cmd.Flags().Var(&version, "std", "language `VERSION`, 3.1 if not given")
	return cmd
}

// version is a flag that holds a language version such as 3.1.
type version metalrun.Version

func (v *version) String() string { return fmt.Sprintf("%d.%d", *v/100, *v/10%10) }
func (v *version) Type() string   { return "version" }
func (v *version) Set(s string) error {
	var major, minor int
	if n, err := fmt.Sscanf(s, "%d.%d", &major, &minor); n != 2 || err != nil || major < 1 || minor < 0 || minor > 9 {
		return errors.New("want a version such as 3.1")
	}
	*v = version(100*major + 10*minor)
	if v.String() != s {
		return errors.New("want a version such as 3.1")
	}
	return nil
}

// check compiles the files. Nothing is printed before all could be read.
func check(stdout io.Writer, files []string, opts metalrun.CompileOptions, pass string, asJSON bool) error {
	if len(files) == 0 {
		return usageError("no file given")
	}
	var sources []metalrun.Source
	for _, file := range files {
		src, err := metalrun.ReadSource(filepath.ToSlash(filepath.Clean(file)), readRegular)
		if err != nil {
			return &exit{exitUsage, err}
		}
		sources = append(sources, src)
	}
	clean := true
	for _, src := range sources {
		kernels, err := metalrun.Inspect(src, opts)
		if err == nil && pass != "" {
			if err := metalrun.Dump(stdout, src, opts, pass); err != nil {
				return &exit{exitDevice, err}
			}
			continue
		}
		var list metalrun.Diagnostics
		switch {
		case errors.As(err, &list):
			clean = false
			if err := printDiagnostics(stdout, list, asJSON); err != nil {
				return err
			}
		case err != nil:
			return &exit{exitDevice, err}
		case !asJSON:
			fmt.Fprintf(stdout, "%s: ok, %s\n", src.Name, kernelNames(kernels))
		}
	}
	if !clean {
		return &exit{status: exitFails}
	}
	return nil
}

func printDiagnostics(w io.Writer, list metalrun.Diagnostics, asJSON bool) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, d := range list {
		if !asJSON {
			fmt.Fprintln(w, d.Error())
		} else if err := encoder.Encode(d); err != nil {
			return &exit{exitDevice, err}
		}
	}
	return nil
}

// kernelNames is a count and the names.
func kernelNames(kernels []metalrun.KernelInfo) string {
	names := make([]string, 0, len(kernels))
	for _, k := range kernels {
		names = append(names, k.Name)
	}
	switch len(names) {
	case 0:
		return "no kernel"
	case 1:
		return "1 kernel: " + names[0]
	}
	return fmt.Sprintf("%d kernels: %s", len(names), strings.Join(names, ", "))
}

// maxSource is the size of a file that is no longer taken for source.
const maxSource = 64 << 20

// readRegular reads a file of the operating system by its slash-separated
// name. What is no regular file could block or never end.
func readRegular(name string) ([]byte, error) {
	name = filepath.FromSlash(name)
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	if info.Size() > maxSource {
		return nil, fmt.Errorf("%s: too large for a source file", name)
	}
	return os.ReadFile(name)
}
