package conform

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"metalconform/suite/spec"
)

// Arg is an argument: a buffer, a scalar or a struct of scalars, made by [In], [Out], [InOut], [Const] or [Struct]. Its
// position is its buffer index. Each method returns a changed copy.
type Arg struct {
	call    spec.Call
	extents Sizes
	names   []string // that definitions may use
}

func (a Arg) made() spec.Call { return a.call }

// Size is a length or a number: one of Go's, an expression over axes in a string ("n // 32", "ceil_div(n, 4)"), an
// [Axis], or a func(Shape) int or func(Shape) float64.
type Size = any

// Sizes are lengths, numbers of threads x first.
type Sizes []Size

// In is a buffer that the kernel only reads, with its extents, outermost first.
func In(name string, t Type, extents ...Size) Arg {
	return buffer("input", name, t, extents).naming(name)
}

// Out is a buffer that the kernel writes whole.
func Out(name string, t Type, extents ...Size) Arg { return buffer("output", name, t, extents) }

// InOut is a buffer that the kernel reads and writes.
func InOut(name string, t Type, extents ...Size) Arg {
	return buffer("inout", name, t, extents).naming(name)
}

// Const is a scalar passed by setBytes.
func Const(name string, t Type, value Size) Arg {
	return Arg{call: spec.Call{At: place(), Function: "scalar", Args: []any{name, t, value}}}.naming(name)
}

// Struct is a struct of scalars, laid out as Metal does; it also stands for a buffer of scalars.
func Struct(name string, fields ...Arg) Arg {
	a := Arg{call: spec.Call{At: place(), Function: "struct", Args: []any{name}}}
	for _, f := range fields {
		a.call.Args = append(a.call.Args, f.call)
		a = a.naming(f.names...)
	}
	return a
}

// Index is the argument at [[buffer(i)]], where that is not one more than the index before.
func (a Arg) Index(i int) Arg { return a.with("index", i) }

// Strides makes a buffer a view: its elements lie so many apart along each extent.
func (a Arg) Strides(strides ...Size) Arg { return a.with("strides", strides) }

// First is the place of a view's first element, and Size the length of the whole buffer.
func (a Arg) First(first Size) Arg { return a.with("first", first) }

// Size is the length of the whole buffer that a view lies in.
func (a Arg) Size(size Size) Arg { return a.with("size", size) }

// Over says that an output may also lie in the buffer of an input: both ways are judged.
func (a Arg) Over(input string) Arg { return a.with("over", input) }

// Unordered says that the elements of an output may come in any order along its last axis, the same in all outputs of a
// set.
func (a Arg) Unordered(set string) Arg { return a.with("unordered", set) }

// Fill sets how a buffer is filled if a family of inputs does not mention it.
func (a Arg) Fill(fill Fill) Arg { return a.with("fill", fill) }

// As sets the name that the program gives a struct.
func (a Arg) As(structure string) Arg { return a.with("struct", structure) }

// Offset is that of a field, in bytes, behind padding.
func (a Arg) Offset(bytes int) Arg { return a.with("offset", bytes) }

// Bytes is the size of a struct with padding at its end.
func (a Arg) Bytes(n int) Arg { return a.with("bytes", n) }

func (a Arg) with(name string, value any) Arg {
	a.call = a.call.With(name, value)
	return a
}

func (a Arg) naming(names ...string) Arg {
	a.names = append(a.names, names...)
	return a
}

func buffer(function, name string, t Type, extents []Size) Arg {
	return Arg{call: spec.Call{At: place(), Function: function, Args: append([]any{name, t}, extents...)},
		extents: extents}
}

// place is the line of whoever specifies a kernel. Errors begin with it.
func place() string {
	var callers [8]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "metalconform/conform.") || strings.HasSuffix(f.File, "_test.go") || !more {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
}
