package spec

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"metalconform/suite/tensor"
)

// array is a tensor as a value of Starlark. Files have guards for its operators and its parts, which know whose
// evaluation they count on.
type array struct {
	*tensor.Tensor
	truths bool // what comparisons give: as an index it chooses, and does not count
}

var (
	_ starlark.HasAttrs  = array{}
	_ starlark.Indexable = array{}
	_ starlark.Sliceable = array{}
	_ starlark.Iterable  = array{}
)

func (array) Type() string          { return "tensor" }
func (array) Freeze()               {}
func (array) Truth() starlark.Bool  { return true }
func (array) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: tensor") }

// Len is the length of the first axis.
func (a array) Len() int {
	if shape := a.Shape(); len(shape) > 0 {
		return shape[0]
	}
	return 0
}

// Index is one place of the first axis.
func (a array) Index(i int) starlark.Value {
	t, err := a.At(i)
	if err != nil {
		panic(err) // Starlark has held the index against Len
	}
	return a.of(t)
}

// of is a tensor that was made from this one.
func (a array) of(t *tensor.Tensor) starlark.Value {
	v := wrap(t)
	if made, ok := v.(array); ok {
		made.truths = a.truths
		return made
	}
	return v
}

// Slice is a part of the first axis.
func (a array) Slice(start, end, step int) starlark.Value {
	if step < 0 {
		var parts []*tensor.Tensor
		for i := start; i > end; i += step {
			part, _ := a.At(i)
			parts = append(parts, part)
		}
		if t, err := tensor.Stack(parts...); err == nil {
			return a.of(t)
		}
		start, end, step = 0, 0, 1
	}
	t, err := a.Tensor.Slice(0, start, max(start, end), step)
	if err != nil {
		panic(err) // as above
	}
	return a.of(t)
}

// Iterate visits the places of the first axis.
func (a array) Iterate() starlark.Iterator { return &rows{of: a} }

type rows struct {
	of array
	at int
}

func (r *rows) Next(v *starlark.Value) bool {
	if r.at == r.of.Len() {
		return false
	}
	*v = r.of.Index(r.at)
	r.at++
	return true
}
func (*rows) Done() {}

// methods are the functions that tensors have as methods too, by the name there.
var methods = map[string]string{"max": "amax", "min": "amin", "abs": "absolute", "clip": "clip", "astype": "astype"}

func init() {
	for _, name := range []string{
		"sum", "mean", "prod", "var", "std", "argmax", "argmin", "any", "all", "logsumexp", "softmax", "log_softmax",
		"cumsum", "cumprod", "cummax",
		"reshape", "transpose", "squeeze", "repeat", "take", "sort", "argsort", "round", "exp", "log", "sqrt", "rsqrt",
		"tanh", "sigmoid", "square",
	} {
		methods[name] = name
	}
}

// AttrNames are what a tensor says of itself, and its methods.
func (array) AttrNames() []string {
	return append([]string{"T", "ndim", "shape", "size"}, slices.Sorted(maps.Keys(methods))...)
}

// Attr is nil for what there is not.
func (a array) Attr(name string) (starlark.Value, error) {
	shape := a.Shape()
	switch name {
	case "shape":
		list := make(starlark.Tuple, len(shape))
		for i, d := range shape {
			list[i] = starlark.MakeInt(d)
		}
		return list, nil
	case "ndim":
		return starlark.MakeInt(len(shape)), nil
	case "size":
		return starlark.MakeInt(a.Tensor.Len()), nil
	case "T":
		return starlark.None, nil // attribute turns the axes round
	}
	if of := methods[name]; of == "astype" {
		return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			var to starlark.Callable
			if err := starlark.UnpackArgs(name, args, kwargs, "type", &to); err != nil {
				return nil, err
			}
			return starlark.Call(thread, to, starlark.Tuple{a}, nil)
		}), nil
	} else if of != "" {
		return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			return starlark.Call(thread, predeclared[of], append(starlark.Tuple{a}, args...), kwargs)
		}), nil
	}
	return nil, nil
}

// wrap is a tensor as a value: one without axes is a number.
func wrap(t *tensor.Tensor) starlark.Value {
	if len(t.Shape()) == 0 {
		if n := integerOf(t); n != nil {
			return n
		}
		return starlark.Float(t.Data()[0])
	}
	return array{Tensor: t}
}

// operand is a number or a tensor.
func operand(v starlark.Value) (*tensor.Tensor, bool) {
	switch v := v.(type) {
	case array:
		return v.Tensor, true
	case starlark.Bool:
		if v {
			return tensor.OfInteger(tensor.Whole(1)), true
		}
		return tensor.OfInteger(tensor.Whole(0)), true
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return tensor.OfInteger(tensor.Whole(n)), true
		}
		return tensor.OfInteger(tensor.Large(v.BigInt())), true
	case starlark.Float:
		if isAnything(float64(v)) { // no float decides it
			return tensor.Number(float64(v)).Exactly(), true
		}
		return tensor.Number(float64(v)), true
	}
	return nil, false
}

// operators are those of Starlark that tensors have.
var operators = map[syntax.Token]func(x, y float64) float64{
	syntax.PLUS:       func(x, y float64) float64 { return x + y },
	syntax.MINUS:      func(x, y float64) float64 { return x - y },
	syntax.STAR:       func(x, y float64) float64 { return x * y },
	syntax.SLASH:      func(x, y float64) float64 { return x / y },
	syntax.SLASHSLASH: quotient,
	syntax.PERCENT:    modulo,
	syntax.AMP:        bitwise(func(x, y int64) int64 { return x & y }),
	syntax.PIPE:       bitwise(func(x, y int64) int64 { return x | y }),
	syntax.CIRCUMFLEX: bitwise(func(x, y int64) int64 { return x ^ y }),
	syntax.LTLT:       bitwise(func(x, y int64) int64 { return x << uint64(y) }),
	syntax.GTGT:       bitwise(func(x, y int64) int64 { return x >> uint64(y) }),
}

// logical are the operators that make truths of truths.
var logical = map[syntax.Token]bool{syntax.AMP: true, syntax.PIPE: true, syntax.CIRCUMFLEX: true}

// modulo has the sign of the divisor, as in Python.
func modulo(x, y float64) float64 {
	r := math.Mod(x, y)
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}

// quotient is what goes into x whole: 1 // 0.1 is 9, since 0.1 is a little more than a tenth.
func quotient(x, y float64) float64 {
	if y == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Floor(x / y)
	}
	return math.RoundToEven((x - modulo(x, y)) / y)
}

// bitwise is an operation on integers that float64 holds.
func bitwise(f func(x, y int64) int64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return float64(f(integer(x), integer(y))) }
}

// bitwiseNot is that of an integer with a sign.
func bitwiseNot(x float64) float64 { return float64(^integer(x)) }

// binaryTensor is an operator on two tensors, or on a tensor and a number.
func binaryTensor(op syntax.Token, m *meter, a, b starlark.Value) (starlark.Value, error) {
	f, ok := operators[op]
	x, left := operand(a)
	y, right := operand(b)
	if !ok || !left || !right {
		return nil, fmt.Errorf("unknown binary op: %s %s %s", a.Type(), op, b.Type())
	}
	r, err := zipped(op.String(), x, y, f)
	if err != nil {
		return nil, err
	}
	if logical[op] && areTruths(a) && areTruths(b) {
		return array{r, true}, m.made(r)
	}
	if m.naive() && !r.Exact() && !(integers(x) && integers(y)) {
		r = r.Map(func(x float64) float64 { return m.step(x, false) })
	} else {
		r = m.erring(r, false)
	}
	return wrap(r), m.made(r)
}

// areTruths reports whether a value is a tensor of truths.
func areTruths(v starlark.Value) bool {
	a, ok := v.(array)
	return ok && a.truths
}

// unary is a sign, or turns bits or truths over.
func (a array) unary(op syntax.Token, m *meter) (starlark.Value, error) {
	f := func(x float64) float64 { return -x }
	if op == syntax.TILDE {
		f = bitwiseNot
		if a.truths {
			r := exactIf(a.Map(func(x float64) float64 { return 1 - x }), a.Tensor)
			return array{r, true}, m.made(r)
		}
	}
	r := mapped(op.String(), a.Tensor, f)
	return array{r, false}, m.made(r)
}
