package main

import (
	"fmt"
	"io"
	"strings"

	"metalconform/internal/printable"
	"metalconform/metalrun"
)

// fewKernels are those of a library whose arguments are printed without being asked for.
const fewKernels = 16

// maxThreadgroupMemory is the threadgroup memory that a kernel may declare, in bytes: Metal makes no pipeline of one
// that declares more.
const maxThreadgroupMemory = 32 << 10

// printLibrary prints what is in a compiled library: how it was compiled, and each kernel with its arguments. Nothing
// is printed of source.
func printLibrary(w io.Writer, p *metalrun.Program, arguments bool) error {
	f, ok := p.Library()
	if !ok {
		return nil
	}
	infos, err := p.Kernels()
	if err != nil {
		return err
	}
	lines := "without line information: findings name lines of its assembly, which -print tree shows"
	if f.Lines {
		lines = "with line information"
	}
	fmt.Fprintf(w, "compiled by %s for %s, %s\n", printable.Line(f.Compiler), printable.Line(f.Platform), lines)
	fmt.Fprintf(w, "Metal %s, AIR %s, %s math, subnormal numbers %s\n", f.Language, f.AIR, f.Math,
		map[bool]string{true: "kept", false: "flushed"}[f.Denorms])
	if len(f.Slices) > 1 {
		fmt.Fprintf(w, "slices: %s\n", printable.Line(strings.Join(f.Slices, ", ")))
	}
	if len(f.OtherStages) > 0 {
		fmt.Fprintf(w, "not judged: %s\n", printable.Line(strings.Join(f.OtherStages, ", ")))
	}
	for _, c := range p.FunctionConstants() {
		fmt.Fprintf(w, "function constant %d: %s %s\n", c.Index, c.Type, printable.Line(c.Name))
	}
	for _, info := range infos {
		never := info.StaticThreadgroupMemory > maxThreadgroupMemory
		if !arguments && !never {
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", printable.Line(info.Name), needs(info))
		if never {
			fmt.Fprintf(w, "\tcan never run: %d bytes of threadgroup memory are more than the limit of %d\n",
				info.StaticThreadgroupMemory, maxThreadgroupMemory)
		}
		for _, a := range info.Args {
			if arguments {
				fmt.Fprintf(w, "\t%s\n", printable.Line(argumentLine(a)))
			}
		}
	}
	return nil
}

// needs is what a kernel asks of a launch and of a device.
func needs(info metalrun.KernelInfo) string {
	parts := []string{printable.Count(len(info.Args), "argument")}
	if info.StaticThreadgroupMemory > 0 {
		parts = append(parts, fmt.Sprintf("%d bytes of threadgroup memory", info.StaticThreadgroupMemory))
	}
	if info.MaxThreads > 0 {
		parts = append(parts, fmt.Sprintf("at most %d threads in a threadgroup", info.MaxThreads))
	}
	for _, f := range info.Features {
		parts = append(parts, string(f))
	}
	return strings.Join(parts, ", ")
}

// argumentLine is an argument with its type and its members.
func argumentLine(a metalrun.ArgInfo) string {
	table := [...]string{"buffer", "threadgroup", "texture", "sampler"}[a.Kind]
	text := fmt.Sprintf("%s(%d) %s: %s", table, a.Index, a.Name, a.Type)
	if a.Size > 0 {
		text += fmt.Sprintf(", %d bytes", a.Size)
	}
	if a.Writable {
		text += ", written"
	}
	if len(a.Fields) < 2 {
		return text
	}
	var members []string
	for _, f := range a.Fields {
		count := ""
		if f.Count > 1 {
			count = fmt.Sprintf("[%d]", f.Count)
		}
		members = append(members, fmt.Sprintf("%s %s%s at %d", f.Type, f.Name, count, f.Offset))
	}
	return text + " {" + strings.Join(members, ", ") + "}"
}
