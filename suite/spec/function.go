package spec

import (
	"fmt"
	"maps"
	"math"
	mathbits "math/bits"
	"slices"

	"go.starlark.net/starlark"

	"metalconform/oracles"
	"metalconform/suite/tensor"
)

// predeclared are the names that every file has beside those of Starlark, language those that expressions in quotes
// have, too.
var predeclared, language = starlark.StringDict{}, starlark.StringDict{}

func init() {
	for name, f := range elementwise {
		define(name, unary(f))
	}
	for name, f := range pairwise {
		define(name, binary(f))
	}
	for name, f := range reductions {
		define(name, reduction(f))
	}
	for name, f := range map[string]builtin{
		"tensor": newTensor, "zeros": filled(0), "ones": filled(1), "full": full, "arange": arange,
		"where": where, "span": newSpan, "clip": clip, "pad": padded, "flip": flipped, "roll": rolled, "matmul": matmul,
		"einsum": einsum, "outer": outer,
		"softmax": alongLast(tensor.Softmax), "log_softmax": alongLast(tensor.LogSoftmax),
		"cumsum": alongLast(tensor.Accumulate), "cumprod": alongLast(tensor.AccumulateProduct),
		"argsort": argsort, "sort": sorted, "top_k": topK, "take": take, "one_hot": oneHot, "bincount": bincount,
		"searchsorted": searchsorted, "cummax": alongLast(runningMax),
		"reshape": reshape, "transpose": transpose, "broadcast_to": broadcast, "concat": joined, "stack": stacked,
		"slice": sliced, "repeat": repeated, "tril": triangle(false), "triu": triangle(true),
		"bits": bits, "from_bits": fromBits, "to_bits": toBits, "scan": scan, "data": data, "eye": eye, "tile": tiled,
		"squeeze": squeezed,
		spanName:  newSpan, powerName: powered,
	} {
		define(name, f)
	}
	for name, v := range starlark.Universe {
		if b, ok := v.(*starlark.Builtin); ok {
			language[name] = counted(b)
		}
		if predeclared[name] == nil && language[name] != nil {
			predeclared[name] = language[name]
		}
	}
	for _, name := range []string{"reshape", "transpose", "broadcast_to"} {
		predeclared[name] = listing(predeclared[name].(*starlark.Builtin))
	}
	for name, of := range map[string]string{"max": "amax", "min": "amin", "abs": "absolute", "any": "any",
		"all": "all"} {
		define(name,
			overloaded(counted(starlark.Universe[name].(*starlark.Builtin)), predeclared[of].(*starlark.Builtin)))
	}
	predeclared["getattr"] = starlark.NewBuiltin("getattr", getattr)
	for _, names := range []starlark.StringDict{operatorNames(), guards(), helpers} {
		maps.Copy(predeclared, names)
		maps.Copy(language, names)
	}
	for name, f := range specification {
		define(name, f)
	}
	for name, fill := range fills {
		predeclared[name] = filling{name, fill}
	}
	for _, name := range typeNames() {
		cast := builtinCast(name)
		if own, ok := starlark.Universe[name].(*starlark.Builtin); ok {
			cast = starlark.NewBuiltin(name, func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
				kwargs []starlark.Tuple) (starlark.Value, error) {
				return overloaded(own, builtinCast(name))(thread, name, args, kwargs)
			})
		}
		predeclared[name] = typeOf{cast, name}
	}
	predeclared["anything"] = starlark.Float(anything)
	predeclared["pi"], predeclared["e"], predeclared["inf"], predeclared["nan"] =
		starlark.Float(math.Pi), starlark.Float(math.E), starlark.Float(math.Inf(1)), starlark.Float(math.NaN())
}

// overloaded is a function of Starlark that means another one for tensors, and for the number that a tensor has come
// to.
func overloaded(own, tensors *starlark.Builtin) builtin {
	return func(thread *starlark.Thread, _ string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
		error) {
		if len(args) > 0 {
			switch args[0].(type) {
			case starlark.Float, starlark.Int:
				if len(args) == 1 && ofSequences[own.Name()] {
					return tensors.CallInternal(thread, args, kwargs)
				}
			case array:
				return tensors.CallInternal(thread, args, kwargs)
			}
		}
		return own.CallInternal(thread, args, kwargs)
	}
}

// ofSequences are the functions of Starlark that mean nothing of one number.
var ofSequences = map[string]bool{"max": true, "min": true, "any": true, "all": true}

// builtin is the body of a function. Tensors that it returns are counted.
type builtin func(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
	error)

func define(name string, f builtin) {
	predeclared[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, b *starlark.Builtin,
		args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		m := meterOf(thread)
		if err := m.work(effort(b.Name(), args)); err != nil {
			return nil, err
		}
		v, err := f(thread, b.Name(), args, kwargs)
		if err != nil {
			return nil, err
		}
		if a, ok := v.(array); ok {
			rounds := rounding[b.Name()] && !(powers[b.Name()] && integers(a.Tensor) && ofIntegers(args))
			erring := m.erring(a.Tensor, rounds)
			if vanishing[b.Name()] && len(args) > 0 {
				if x, ok := args[0].(array); ok {
					erring = m.vanished(x.Tensor, erring)
				}
			}
			v = array{erring, comparing[b.Name()] || moving[b.Name()] && allTruths(args)}
		}
		return metered(thread, v)
	})
}

// efforts are how many operations functions take by element, where they take more than one: what they take by the
// clock, or more.
var efforts = map[string]int{"power": 16, powerName: 16, "gelu": 16, "gelu_tanh": 16, "fmod": 16, "atan2": 16, "erf": 8,
	"erfc": 8}

// effort is how many operations a function takes that goes through its operands a fixed number of times, or sorts them.
func effort(name string, args starlark.Tuple) int64 {
	by := efforts[name]
	if by == 0 && rounding[name] {
		by = 4
	}
	n := int64(0)
	for _, v := range args {
		switch v := v.(type) {
		case array:
			each := max(by, 1)
			if shape := v.Shape(); sorting[name] && len(shape) > 0 {
				each = 4 * mathbits.Len(uint(slices.Max(shape)))
			}
			n += times(each, v.Tensor.Len())
		case *starlark.List, starlark.Tuple:
			left := mostStacked
			n += times(stackedEffort, numbersIn(v.(starlark.Indexable), &left, 0))
		}
	}
	return n
}

// stackedEffort is what a number in a list takes to become an element.
const stackedEffort = 64

// numbersIn is how many numbers lists have, as far as they can become a tensor.
func numbersIn(list starlark.Indexable, left *int, depth int) (n int) {
	for i := range list.Len() {
		if *left--; *left < 0 || depth > deepest {
			break
		}
		switch v := list.Index(i).(type) {
		case *starlark.List, starlark.Tuple:
			n += numbersIn(v.(starlark.Indexable), left, depth+1)
		case array:
		default:
			n++
		}
	}
	return n
}

// sorting are the functions that put elements in order.
var sorting = map[string]bool{"sort": true, "argsort": true, "top_k": true}

// comparing are the functions that give truths.
var comparing = map[string]bool{"less": true, "less_equal": true, "greater": true, "greater_equal": true, "equal": true,
	"not_equal":   true,
	"logical_and": true, "logical_or": true, "logical_not": true, "isnan": true, "isfinite": true, "bool": true,
	"any": true, "all": true}

// moving are those that leave elements as they are: truths stay such.
var moving = map[string]bool{"reshape": true, "transpose": true, "squeeze": true, "broadcast_to": true, "concat": true,
	"stack": true, "slice": true, "take": true,
	"repeat": true, "tile": true, "flip": true, "roll": true}

// allTruths reports whether what a function is given are truths, alone or in a list.
func allTruths(args starlark.Tuple) bool {
	if len(args) == 0 {
		return false
	}
	if list, ok := args[0].(*starlark.List); ok {
		for i := range list.Len() {
			if a, ok := list.Index(i).(array); !ok || !a.truths {
				return false
			}
		}
		return list.Len() > 0
	}
	a, ok := args[0].(array)
	return ok && a.truths
}

// truthful is a value whose elements are truths.
func truthful(v starlark.Value) starlark.Value {
	if a, ok := v.(array); ok {
		a.truths = true
		return a
	}
	return v
}

// vanishing are the functions that are 0 nowhere, and in float64 far out.
var vanishing = map[string]bool{"exp": true, "exp2": true, "sigmoid": true, "softplus": true, "softmax": true}

// rounding are the functions whose results are hardly ever numbers of float64.
var rounding = map[string]bool{"exp": true, "exp2": true, "expm1": true, "log": true, "log2": true, "log10": true,
	"log1p": true, "sin": true, "cos": true, "tan": true,
	"asin": true, "acos": true, "atan": true, "sinh": true, "cosh": true, "tanh": true, "erf": true, "erfc": true,
	"sigmoid": true, "silu": true, "softplus": true,
	"gelu": true, "gelu_tanh": true, "softmax": true, "power": true, "atan2": true, "rsqrt": true}

// powers are those whose results are integers where their operands are, if they are such at all: places of bits.
var powers = map[string]bool{"power": true, "exp2": true}

// ofIntegers reports whether all operands of a function are integers.
func ofIntegers(args starlark.Tuple) bool {
	for _, v := range args {
		if t, ok := operand(v); !ok || !integers(t) {
			return false
		}
	}
	return true
}

// metered is a value whose tensors are counted, and count what is made of them.
func metered(thread *starlark.Thread, v starlark.Value) (starlark.Value, error) {
	switch v := v.(type) {
	case array:
		return v, meterOf(thread).made(v.Tensor)
	case starlark.Tuple:
		for i := range v {
			var err error
			if v[i], err = metered(thread, v[i]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

var elementwise = map[string]func(float64) float64{
	"exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1, "log": math.Log, "log2": math.Log2, "log10": math.Log10,
	"log1p": math.Log1p,
	"sqrt":  math.Sqrt, "rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
	"square": func(x float64) float64 { return x * x },
	"sin":    math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "erf": math.Erf, "erfc": math.Erfc,
	"sigmoid": tensor.Sigmoid, "silu": func(x float64) float64 { return x * tensor.Sigmoid(x) },
	"softplus":    tensor.Softplus,
	"logical_not": func(x float64) float64 { return truth(x == 0) }, "isfinite": func(x float64) float64 {
		return truth(x-x == 0)
	}, "reciprocal": func(x float64) float64 { return 1 / x },
	"gelu_tanh": func(x float64) float64 {
		return x * tensor.Sigmoid(2*math.Sqrt(2/math.Pi)*(x+float64(0.044715*x*x*x)))
	},
	"relu":     func(x float64) float64 { return math.Max(x, 0) },
	"gelu":     func(x float64) float64 { return x * math.Erfc(-x/math.Sqrt2) / 2 },
	"absolute": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "round": math.RoundToEven,
	"rint": math.RoundToEven,
	"sign": func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
		return x
	},
	"isnan": func(x float64) float64 { return truth(math.IsNaN(x)) },
}

var pairwise = map[string]func(x, y float64) float64{
	"maximum": math.Max, "minimum": math.Min, "power": math.Pow, "atan2": math.Atan2, "fmod": math.Mod,
	"hypot":      math.Hypot,
	"less":       func(x, y float64) float64 { return truth(x < y) },
	"less_equal": func(x, y float64) float64 { return truth(x <= y) },
	"greater":    func(x, y float64) float64 { return truth(x > y) }, "greater_equal": func(x, y float64) float64 {
		return truth(x >= y)
	},
	"equal":       func(x, y float64) float64 { return truth(x == y) },
	"not_equal":   func(x, y float64) float64 { return truth(x != y) },
	"logical_and": func(x, y float64) float64 { return truth(x != 0 && y != 0) },
	"logical_or":  func(x, y float64) float64 { return truth(x != 0 || y != 0) },
}

var reductions = map[string]func([]float64) float64{
	"sum": tensor.Sum, "mean": tensor.Mean, "prod": tensor.Product, "amax": tensor.Max, "amin": tensor.Min,
	"argmax": tensor.ArgMax, "var": tensor.Variance,
	"std": func(x []float64) float64 { return math.Sqrt(tensor.Variance(x)) }, "logsumexp": tensor.LogSumExp,
	"any": func(x []float64) float64 {
		return truth(slices.ContainsFunc(x, func(x float64) bool { return x != 0 }))
	},
	"all": func(x []float64) float64 { return truth(!slices.Contains(x, 0)) }, "argmin": tensor.ArgMin,
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// asTensor unpacks a number or a tensor, or a list of them.
type asTensor struct{ *tensor.Tensor }

// Unpack takes what an argument is.
func (t *asTensor) Unpack(v starlark.Value) (err error) {
	t.Tensor, err = fromValue(v)
	return err
}

// fromValue is a number, a tensor, or a list of such of one shape.
func fromValue(v starlark.Value) (*tensor.Tensor, error) {
	left := mostStacked
	return toTensor(v, &left, 0)
}

// A list may hold itself, or another one twice which does the same: what is stacked has an end.
const (
	mostStacked = 1 << 22 // values, each as often as it is met
	deepest     = 64      // lists in lists
)

// toTensor is fromValue for a value in so many lists, of which so many are left.
func toTensor(v starlark.Value, left *int, depth int) (*tensor.Tensor, error) {
	if *left--; *left < 0 || depth > deepest {
		return nil,
			fmt.Errorf("a list with more than %d values, or of lists in more than %d others, cannot become a tensor",
				mostStacked, deepest)
	}
	if t, ok := operand(v); ok {
		return t, nil
	}
	list, ok := v.(starlark.Indexable)
	if _, text := v.(starlark.String); !ok || text {
		return nil, fmt.Errorf("got %s, want a tensor or a number", v.Type())
	}
	if list.Len() == 0 {
		return tensor.Full(0, 0)
	}
	parts := make([]*tensor.Tensor, list.Len())
	for i := range parts {
		var err error
		if parts[i], err = toTensor(list.Index(i), left, depth+1); err != nil {
			return nil, err
		}
	}
	return tensor.Stack(parts...)
}

// lengths unpacks a number or a list of numbers.
type lengths []int

// Unpack takes what an argument is.
func (l *lengths) Unpack(v starlark.Value) error {
	*l = lengths{}
	if n, ok := v.(starlark.Int); ok {
		v = starlark.Tuple{n}
	}
	list, ok := v.(starlark.Indexable)
	if !ok {
		return fmt.Errorf("got %s, want a number or a list of numbers", v.Type())
	}
	for i := range list.Len() {
		n, err := starlark.AsInt32(list.Index(i))
		if err != nil {
			return err
		}
		*l = append(*l, n)
	}
	return nil
}

func unary(f func(float64) float64) builtin {
	return func(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var x asTensor
		if err := starlark.UnpackArgs(name, args, kwargs, "x", &x); err != nil {
			return nil, err
		}
		return wrap(mapped(name, x.Tensor, f)), nil
	}
}

func binary(f func(x, y float64) float64) builtin {
	return func(_ *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var x, y asTensor
		if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "y", &y); err != nil {
			return nil, err
		}
		return result(zipped(name, x.Tensor, y.Tensor, f))
	}
}

func reduction(f func([]float64) float64) builtin {
	return func(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
		error) {
		var (
			x    asTensor
			axes lengths
			keep bool
		)
		if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "axis?", &axes, "keepdims?", &keep); err != nil {
			return nil, err
		}
		return result(reduced(name, x.Tensor, axes, keep, meterOf(thread).reduction(name, f)))
	}
}

func alongLast(f func([]float64)) builtin {
	return func(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value,
		error) {
		var x asTensor
		axis := -1
		if err := starlark.UnpackArgs(name, args, kwargs, "x", &x, "axis?", &axis); err != nil {
			return nil, err
		}
		return result(lined(name, x.Tensor, axis, meterOf(thread).line(name, f)))
	}
}

// result is what an operation came to.
func result(t *tensor.Tensor, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return wrap(t), nil
}

// typeOf is an element type: the type of an argument, and a function that rounds to it.
type typeOf struct {
	*starlark.Builtin
	name string
}

func (t typeOf) String() string { return t.name }

// builtinCast rounds to an element type as a conversion does: to nearest, ties to even, and
// towards zero for integers, which keep what fits their bits.
func builtinCast(name string) *starlark.Builtin {
	f := casts[name]
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := unary(f)(thread, b.Name(), args, kwargs)
		if err != nil {
			return nil, err
		}
		if name == "bool" {
			v = truthful(v)
		}
		return metered(thread, v)
	})
}

// integer is a number without its fraction, the same on every machine: what no integer of 64 bits holds is the nearest
// that there is, and 0 for a NaN.
func integer(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= 1<<63 && x < 1<<64:
		return int64(uint64(x)) // without a sign it is one
	case x >= 1<<64:
		return math.MaxInt64
	case x < -1<<63:
		return math.MinInt64
	}
	return int64(x)
}

var casts = map[string]func(float64) float64{
	"f32": oracles.F32.Round, "bf16": oracles.BF16.Round, "f16": oracles.F16.Round,
	"f8e4m3": tensor.E4M3.Round, "f8e5m2": tensor.E5M2.Round,
	"u8":   func(x float64) float64 { return float64(uint8(integer(x))) },
	"u16":  func(x float64) float64 { return float64(uint16(integer(x))) },
	"u32":  func(x float64) float64 { return float64(uint32(integer(x))) },
	"u64":  func(x float64) float64 { return float64(uint64(integer(x))) },
	"i8":   func(x float64) float64 { return float64(int8(integer(x))) },
	"i16":  func(x float64) float64 { return float64(int16(integer(x))) },
	"i32":  func(x float64) float64 { return float64(int32(integer(x))) },
	"i64":  func(x float64) float64 { return float64(integer(x)) },
	"bool": func(x float64) float64 { return truth(x != 0) },
}
