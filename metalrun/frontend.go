package metalrun

import (
	"cmp"
	"fmt"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// Inspect runs the front end on src and describes its entry points in order of
// declaration. The error is a Diagnostics if the source is ill-formed.
func Inspect(src Source, opts CompileOptions) ([]KernelInfo, error) {
	program, err := analyse(src, opts)
	if err != nil {
		return nil, err
	}
	infos := make([]KernelInfo, len(program.Kernels))
	known := layouts{}
	for i, f := range program.Kernels {
		k, err := lower(f)
		if err != nil {
			return nil, err
		}
		infos[i] = KernelInfo{
			Name: f.Name, Position: position(f.Pos), Args: describeArgs(f, known), MaxThreads: f.Kernel.MaxThreads,
			StaticThreadgroupMemory: staticThreadgroupMemory(k), Inputs: inputs(k), Collective: collective(k.Body),
		}
	}
	return infos, nil
}

// analyse parses and checks a translation unit.
func analyse(src Source, opts CompileOptions) (*types.Program, error) {
	if _, ok := src.Files[src.Name]; !ok {
		return nil, fmt.Errorf("source %q is not among its files", src.Name)
	}
	cfg := syntaxConfig(opts)
	file, errs := syntax.Parse(src.Name, src.Files, cfg)
	if len(errs) > 0 {
		return nil, diagnostics(errs)
	}
	program, errs := types.Check(file, types.Config{
		Version: cfg.Version, FastFunctions: opts.FastFunctions, FunctionConstants: opts.FunctionConstants,
	})
	if len(errs) > 0 {
		return nil, diagnostics(errs)
	}
	return program, nil
}

func syntaxConfig(opts CompileOptions) syntax.Config {
	if opts.LanguageVersion == 0 {
		opts.LanguageVersion = DefaultVersion
	}
	return syntax.Config{Version: int(opts.LanguageVersion), Macros: opts.Macros}
}

func diagnostics(errs syntax.ErrorList) Diagnostics {
	d := make(Diagnostics, len(errs))
	for i, e := range errs {
		d[i] = Diagnostic{Position: position(e.Pos), Code: e.Code, Message: e.Msg}
	}
	return d
}

func position(p syntax.Pos) Position {
	return Position{File: p.File, Line: int(p.Line), Col: int(p.Col)}
}

// lower translates an entry point for an executor.
func lower(f *types.Func) (*ir.Kernel, error) {
	k, err := ir.Lower(f)
	if err != nil {
		if e, ok := err.(*syntax.Error); ok {
			return nil, diagnostics(syntax.ErrorList{e})
		}
		return nil, err
	}
	if err := ir.Verify(k); err != nil {
		return nil, fmt.Errorf("internal error in the lowering of %s: %w", f.Name, err)
	}
	return k, nil
}

// staticThreadgroupMemory is the room that the kernel's own threadgroup variables
// take, each aligned to 16 bytes.
func staticThreadgroupMemory(k *ir.Kernel) int {
	bytes := 0
	for _, o := range k.Objects {
		if o.Space == syntax.Threadgroup {
			bytes = (bytes+15)&^15 + o.Size
		}
	}
	return bytes
}

// inputs are the inputs that instructions read, for a kernel keeps no other
// registers, in the order of their declaration in the language.
func inputs(k *ir.Kernel) []string {
	var sources []ir.Source
	for _, r := range k.Regs {
		if r.Kind == ir.Input && r.Type != ir.Ptr {
			sources = append(sources, r.Input)
		}
	}
	slices.Sort(sources)
	var names []string
	for _, s := range slices.Compact(sources) {
		names = append(names, s.String())
	}
	return names
}

// collective reports whether threads have to execute one of the instructions
// together, other than a barrier.
func collective(nodes []ir.Node) bool {
	return slices.ContainsFunc(nodes, func(n ir.Node) bool {
		switch n := n.(type) {
		case *ir.Instr:
			return n.Op.Info().Effects.Has(ir.Collective)
		case *ir.If:
			return collective(n.Then) || collective(n.Else)
		case *ir.Loop:
			return collective(n.Head) || collective(n.Body) || collective(n.Post)
		case *ir.Block:
			return collective(n.Body)
		}
		return false
	})
}

// describeArgs lists the argument table of an entry point: buffers, then
// threadgroup memory, each by index.
func describeArgs(f *types.Func, known layouts) []ArgInfo {
	var args []ArgInfo
	for i, arg := range f.Kernel.Args {
		v := f.Params[i]
		a := ArgInfo{Name: v.Name, Index: arg.Index, Constant: v.Space == syntax.Constant, Writable: !v.Const, Reference: true}
		pointee := v.Type
		if p, ok := v.Type.(*types.Pointer); ok && !v.Ref {
			pointee, a.Writable, a.Constant, a.Reference = p.Elem, !p.Const, p.Space == syntax.Constant, false
		}
		switch arg.Kind {
		case types.BufferArg:
		case types.ValueArg:
			a.Writable, a.Constant = false, true
		case types.ThreadgroupArg:
			a.Kind = ThreadgroupArg
		default:
			continue
		}
		a.Writable = a.Writable && !a.Constant
		a.Type, a.Size, a.Align = pointee.String(), pointee.Size(), pointee.Align()
		a.Fields = slices.Clone(known.fields(pointee))
		args = append(args, a)
	}
	slices.SortStableFunc(args, func(a, b ArgInfo) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Index, b.Index))
	})
	return args
}
