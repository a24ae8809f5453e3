package metalrun

import (
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
	for i, f := range program.Kernels {
		infos[i] = describe(f)
		if infos[i].StaticThreadgroupMemory, err = staticThreadgroupMemory(f); err != nil {
			return nil, err
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

func staticThreadgroupMemory(f *types.Func) (int, error) {
	k, err := lower(f)
	if err != nil {
		return 0, err
	}
	bytes := 0
	for _, o := range k.Objects {
		if o.Space == syntax.Threadgroup {
			bytes = (bytes+15)&^15 + o.Size
		}
	}
	return bytes, nil
}

// describe lists the argument table of an entry point.
func describe(f *types.Func) KernelInfo {
	info := KernelInfo{Name: f.Name, Position: position(f.Pos), MaxThreads: f.Kernel.MaxThreads}
	for i, arg := range f.Kernel.Args {
		v := f.Params[i]
		a := ArgInfo{Name: v.Name, Index: arg.Index, Constant: v.Space == syntax.Constant, Writable: !v.Const}
		pointee := v.Type
		if p, ok := v.Type.(*types.Pointer); ok && !v.Ref {
			pointee, a.Writable, a.Constant = p.Elem, !p.Const, p.Space == syntax.Constant
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
		info.Args = append(info.Args, a)
	}
	slices.SortStableFunc(info.Args, func(a, b ArgInfo) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return a.Index - b.Index
	})
	return info
}
