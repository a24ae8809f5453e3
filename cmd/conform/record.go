package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/internal/session"
	"metalconform/suite"
	"metalconform/tensorfile"

	"github.com/spf13/cobra"
)

// recordFlags are the flags of conform record.
type recordFlags struct {
	session.Selection
	out string
}

func newRecord() *cobra.Command {
	f := &recordFlags{Selection: session.NewSelection()}
	cmd := &cobra.Command{
		Use:   "record [flags] CASE",
		Short: "write a case's inputs and results for other programs",
		Long: `Record runs one case and writes a .safetensors file, for PyTorch and other programs: the inputs
of the kernel, what it wrote and what it should have written. Arrays have the names of arguments. Inputs and
scalars have their own names, NAME.got is what the kernel wrote, and NAME.want is the answer of the oracle in
float64. A specification can take such a file as a recording, with NAME.want from another program.

The exit status is 0 if the file has been written, 2 for a mistake on the command line, and 3 if there is no
such device or the case could not be judged.`,
		Example: `conform record -o case.safetensors rms_norm_apply/dim=1009/input=normal`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return exit.Usagef("want a case (conform list -cases shows the names)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.FindProject(nil); err != nil {
				return err
			}
			return recordCase(cmd.Context(), *f, args[0], cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	f.AddForCase(flags)
	flags.StringVarP(&f.out, "o", "o", "case.safetensors", "write `FILE`; case.safetensors if not given")
	return cmd
}

// recordCase writes the file of a case.
func recordCase(ctx context.Context, f recordFlags, name string, stdout io.Writer) error {
	w, opts, err := f.StartCase(ctx, name)
	if err != nil {
		return err
	}
	defer w.Close()
	rec, err := suite.Record(w.Runner, opts, w.Cases[0])
	if err != nil {
		return exit.Usagef("%v", err)
	}
	if err := session.Crashes(nil, []suite.Result{rec.Result}); err != nil {
		return exit.With(exit.Device, err)
	}
	if rec.Status == suite.Error || rec.Status == suite.Skip {
		return exit.With(exit.Device, fmt.Errorf("%s: %s", name, rec.Reason))
	}
	meta := map[string]string{"case": rec.Case, "seed": strconv.FormatUint(rec.Seed, 10), "device": rec.Backend,
		"status": string(rec.Status)}
	if err := regular.Write(f.out, tensorfile.Safetensors(meta, recordedArrays(rec))); err != nil {
		return exit.With(exit.Usage, err)
	}
	_, err = fmt.Fprintf(stdout, "%s: %s, %s\n", f.out, rec.Case, rec.Status)
	return err
}

// recordedArrays are those of the file, the widest elements first, so that all are aligned.
func recordedArrays(rec suite.Recording) []tensorfile.Named {
	var list []tensorfile.Named
	for _, part := range []struct {
		of     []suite.Recorded
		suffix string
	}{{rec.Scalars, ""}, {rec.Before, ""}, {rec.After, ".got"}, {rec.Want, ".want"}} {
		for _, r := range part.of {
			list = append(list, tensorfile.Named{Name: r.Name + part.suffix, Array: recordedArray(r)})
		}
	}
	slices.SortStableFunc(list, func(a, b tensorfile.Named) int { return b.Type.Size() - a.Type.Size() })
	return list
}

// fileTypes are the element types of files.
var fileTypes = map[suite.Type]tensorfile.Type{
	suite.F32: tensorfile.F32, suite.BF16: tensorfile.BF16, suite.F16: tensorfile.F16,
	suite.U8: tensorfile.U8, suite.U16: tensorfile.U16, suite.U32: tensorfile.U32, suite.U64: tensorfile.U64,
	suite.I8: tensorfile.I8, suite.I16: tensorfile.I16, suite.I32: tensorfile.I32, suite.I64: tensorfile.I64,
	suite.Bool: tensorfile.Bool,
}

func recordedArray(r suite.Recorded) tensorfile.Array {
	if r.Values == nil {
		return tensorfile.Array{Type: fileTypes[r.Type], Shape: r.Shape, Data: r.Data}
	}
	data := make([]byte, 0, 8*len(r.Values))
	for _, x := range r.Values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return tensorfile.Array{Type: tensorfile.F64, Shape: r.Shape, Data: data}
}
