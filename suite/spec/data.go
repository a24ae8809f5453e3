package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/internal/budget"
	"metalconform/suite"
	"metalconform/suite/tensor"
	"metalconform/tensorfile"
)

// fileTypes are the element types of files by their names in specifications.
var fileTypes = map[string]tensorfile.Type{
	"f32": tensorfile.F32, "f16": tensorfile.F16, "bf16": tensorfile.BF16, "u8": tensorfile.U8, "u16": tensorfile.U16,
	"u32": tensorfile.U32, "u64": tensorfile.U64,
	"i8": tensorfile.I8, "i16": tensorfile.I16, "i32": tensorfile.I32, "i64": tensorfile.I64, "bool": tensorfile.Bool,
	"f8e4m3": tensorfile.E4M3, "f8e5m2": tensorfile.E5M2, "f8e8m0": tensorfile.E8M0,
}

// mostArray is the size of the largest array that a tensor can hold, in bytes.
const mostArray = 8 * tensor.MaxElements

// open has do read a file of arrays beside the one that is being read.
func (r *reader) open(thread *starlark.Thread, file string, do func(*tensorfile.File) error) error {
	name := path.Join(path.Dir(thread.Name), file)
	if path.IsAbs(file) || !fs.ValidPath(name) {
		return fmt.Errorf("%s: outside of the directory of the specification", file)
	}
	return tensorfile.Open(r.dir, name, func(f *tensorfile.File) error {
		f.Most = mostArray
		if f.Archive {
			if err := r.meter.affords(budget.Arrays, int64(len(f.Names))); err != nil {
				return err
			}
			f.Expand = func(bytes int64) error { return r.meter.affords(budget.Expanded, bytes) }
		}
		return do(f)
	})
}

// only is the name of the one array of a file, for those who name none; of several that of the one called own. how
// says how one is named.
func only(f *tensorfile.File, name, own, how string) (string, error) {
	switch {
	case len(f.Names) == 0:
		return "", errors.New("it has no arrays")
	case name != "":
		return name, nil
	case len(f.Names) == 1:
		return f.Names[0], nil
	case slices.Contains(f.Names, own):
		return own, nil
	}
	return "",
		fmt.Errorf("say which of its arrays, as in "+how+": there are %s", f.Names[0], tensorfile.Listed(f.Names))
}

// data is an array of a file as a tensor.
func data(thread *starlark.Thread, fn string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	r, ok := thread.Local(readerKey).(*reader)
	if !ok {
		return nil, fmt.Errorf("data: only while a file is read: give what it is a name at the top of the file")
	}
	var file, name string
	var of starlark.Value = starlark.None
	if err := starlark.UnpackArgs(fn, args, kwargs, "file", &file, "name?", &name, "type?", &of); err != nil {
		return nil, err
	}
	var t *tensor.Tensor
	err := r.open(thread, file, func(f *tensorfile.File) error {
		name, err := only(f, name, "", fmt.Sprintf("data(%q, %%q)", file))
		if err != nil {
			return err
		}
		a, err := f.Array(name)
		if err == nil && of != starlark.None {
			a, err = as(a, of)
		}
		if err != nil {
			return err
		}
		if n := a.Len(); n > tensor.MaxElements {
			return fmt.Errorf("an array of %d elements, want at most %d", n, tensor.MaxElements)
		}
		values, err := a.Values()
		if err != nil {
			return err
		}
		t, err = tensor.New(values, a.Shape...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return wrap(t), nil
}

// as takes the bits of an array for another type, by its name.
func as(a tensorfile.Array, of starlark.Value) (tensorfile.Array, error) {
	name := of.String()
	if s, ok := starlark.AsString(of); ok {
		name = s
	}
	t, ok := fileTypes[name]
	if !ok {
		return a, fmt.Errorf(`type %s: want a type such as bf16, or "f8e8m0"`, name)
	}
	return a.As(t)
}

// asFill unpacks a fill, or a tensor that has the elements.
type asFill struct{ suite.Fill }

// Unpack takes what an argument is.
func (f *asFill) Unpack(v starlark.Value) error {
	switch v := v.(type) {
	case filling:
		f.Fill = v.fill
	case array:
		f.Fill = given(v.Data(), fmt.Sprintf("a tensor of shape %v", v.Shape()))
	case *starlark.Builtin:
		return fmt.Errorf("%s is a function that makes a fill of its arguments, as blocks(18, {0: uniform(0.01, "+
			"0.1)}) and scaled(normal, 30) do", v.Name())
	default:
		return fmt.Errorf("got %s, want a fill such as normal, or a tensor", v.Type())
	}
	return nil
}

// given is the fill with the elements that there are.
func given(values []float64, what string) suite.Fill {
	return func(_ *rand.Rand, _ suite.Shape, x []float64) {
		if len(x) != len(values) {
			panic(suite.Mistake(fmt.Sprintf("%d elements are to be filled from %s, which has %d", len(x), what,
				len(values))))
		}
		copy(x, values)
	}
}

// unrounded reports the first element that an argument's type does not have. Expected results are
// those of the inputs as they stand in the file.
func unrounded(t suite.Type, values []float64) error {
	round := casts[t.String()]
	i := slices.IndexFunc(values, func(x float64) bool { return x == x && round(x) != x })
	if i < 0 {
		return nil
	}
	return fmt.Errorf("element %d is %v, which %s does not have: save what the kernel is given", i, values[i], t)
}
