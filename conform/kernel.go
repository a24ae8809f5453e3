package conform

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode"

	"metalconform/suite"
	"metalconform/suite/packs"
	"metalconform/suite/spec"
)

// Kernel specifies an entry point. What a field may say is what the argument of kernel of the same name says in a
// file of Starlark: conform help spec and conform help shapes describe them.
type Kernel struct {
	Name string // the entry point's host name
	Doc  string // one sentence; may be empty
	Args []Arg  // in the order of their buffer indices

	// The launch: either whole threadgroups or threads, x first, and the threads of each
	// threadgroup. Missing dimensions count as 1.
	Threadgroups, Threads Sizes
	ThreadsPerThreadgroup Sizes
	ThreadgroupMemory     Sizes // bytes at [[threadgroup(i)]]
	// Launches is a sequence of launches that makes one run; nil is one launch with nothing special.
	Launches func(Shape) []Launch

	// What the host chooses when it compiles: function constants by name or index and macros, each a [Size] or
	// for macros a func(Shape) string, and numbers that the program holds under a name: those given here, or its own.
	Constants, Macros map[string]Size
	Tables            map[string][]float64
	Held              map[string]Held
	Math              string // safe, relaxed or fast: the mode that the host builds in; "": judged in safe and in fast

	// Check refuses points that the host must not launch; nil accepts all.
	Check func(Shape) error

	// The sweep. Base has a value for each axis; there every family of inputs is tried. Vary
	// changes one axis at a time, Cross takes all combinations, Shapes are points of their own, and
	// Full is what varies in the full sweep only. Check leaves points of Vary, Cross and Full out, and has to refuse
	// those of Refused. Settings are other values of scalars.
	Base              Shape
	Vary, Cross, Full Points
	Shapes, Refused   []Shape
	Settings          map[string][]float64
	Inputs            []Input // nil: the standard ones over all floating-point inputs

	// The definition: either of the two. Formula is an expression in Starlark over inputs, scalars, tables and axes by
	// their names, such as softmax(scores), or functions of which the last is the definition. Oracle is a function in
	// Go: an answer for each output by name.
	Formula string
	Oracle  func(*Problem) Answers
	// Contract is what Bounds of the oracle go by.
	Contract Contract
	// Intermediates is a type to which values inside the kernel may be rounded, F16 or BF16; "" for none.
	Intermediates Type

	// Recordings are cases in files: what the kernel is given, and what it has to write in place of a definition.
	Recordings []Recording
	Files      fs.FS // where they are, and what data in a formula is read from

	read *suite.Kernel // from a file: nothing above but Name and Doc
}

// Held are the program's own numbers, known by the SHA-256 of their bytes in hexadecimal digits: a codebook that
// somebody else has chosen. The bytes are read as Count numbers of the type.
type Held struct {
	Type   Type
	Count  int
	SHA256 string
}

// tables are those of both kinds by their names.
func (k Kernel) tables() map[string]any {
	all := map[string]any{}
	for name, values := range k.Tables {
		all[name] = values
	}
	for name, h := range k.Held {
		all[name] = spec.Call{Function: "held", Args: []any{h.Type, h.Count}}.With("sha256", h.SHA256)
	}
	return all
}

// Starlark are the kernels that a file of a directory specifies in Starlark.
func Starlark(dir fs.FS, name string) ([]Kernel, error) {
	family, err := new(spec.Limits).Read(packs.Beside(dir), name)
	if err != nil {
		return nil, err
	}
	kernels := make([]Kernel, len(family.Kernels))
	for i := range kernels {
		k := &family.Kernels[i]
		kernels[i] = Kernel{Name: k.Name, Doc: k.Doc, read: k}
	}
	return kernels, nil
}

// kernel is the specification as the suite has it.
func (k Kernel) kernel() (suite.Kernel, error) {
	if k.read != nil {
		return *k.read, nil
	}
	axes := k.axes()
	base := make([]spec.Named, len(axes))
	for i, a := range axes {
		base[i] = spec.Named{Name: a, Value: k.Base[Axis(a)]}
	}
	call := spec.Call{Function: "kernel"}.With("name", k.Name).With("doc", k.Doc).With("args",
		calls(k.Args)).With("base", base)
	for _, part := range []struct {
		name  string
		given bool
		value any
	}{
		{"threadgroups", k.Threadgroups != nil, k.Threadgroups}, {"threads", k.Threads != nil, k.Threads},
		{"threads_per_threadgroup", k.ThreadsPerThreadgroup != nil, k.ThreadsPerThreadgroup},
		{"threadgroup_memory", k.ThreadgroupMemory != nil, k.ThreadgroupMemory},
		{"launches", k.Launches != nil, k.Launches},
		{"constants", k.Constants != nil, k.Constants}, {"macros", k.Macros != nil, k.Macros},
		{"tables", k.Tables != nil || k.Held != nil, k.tables()},
		{"math", k.Math != "", k.Math}, {"check", k.Check != nil, k.Check},
		{"vary", k.Vary != nil, k.Vary.in(axes)}, {"cross", k.Cross != nil, k.Cross.in(axes)},
		{"full", k.Full != nil, k.Full.in(axes)},
		{"shapes", k.Shapes != nil, k.Shapes}, {"refused", k.Refused != nil, k.Refused},
		{"settings", k.Settings != nil, k.Settings},
		{"inputs", k.Inputs != nil, calls(k.Inputs)},
		{"oracle", k.Oracle != nil || k.Formula != "",
			spec.Definition{Formula: k.Formula, Names: k.names(axes), Function: k.Oracle, Contract: k.Contract}},
		{"intermediates", k.Intermediates != "", k.Intermediates},
		{"recordings", k.Recordings != nil, calls(k.Recordings)},
	} {
		if part.given {
			call = call.With(part.name, part.value)
		}
	}
	made, err := spec.New(k.Files, call)
	if err != nil && !strings.HasPrefix(err.Error(), "kernel") {
		err = fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	return made, err
}

// calls are the calls behind values of the vocabulary.
func calls[T interface{ made() spec.Call }](list []T) []spec.Call {
	all := make([]spec.Call, len(list))
	for i, v := range list {
		all[i] = v.made()
	}
	return all
}

// axes are those of Base in the order in which arguments have them, then the others.
func (k Kernel) axes() []string {
	var axes []string
	for _, a := range k.Args {
		for _, e := range a.extents {
			text, _ := e.(string)
			if axis, ok := e.(Axis); ok {
				text = string(axis)
			}
			for _, word := range strings.FieldsFunc(text,
				func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
				if _, ok := k.Base[Axis(word)]; ok && !slices.Contains(axes, word) {
					axes = append(axes, word)
				}
			}
		}
	}
	for _, axis := range slices.Sorted(maps.Keys(k.Base)) {
		if !slices.Contains(axes, string(axis)) {
			axes = append(axes, string(axis))
		}
	}
	return axes
}

// names are what a formula may use.
func (k Kernel) names(axes []string) []string {
	var names []string
	for _, a := range k.Args {
		names = append(names, a.names...)
	}
	names = append(names, "tables")
	names = append(names, slices.Sorted(maps.Keys(k.tables()))...)
	for _, axis := range axes {
		if !slices.Contains(names, axis) {
			names = append(names, axis)
		}
	}
	return names
}
