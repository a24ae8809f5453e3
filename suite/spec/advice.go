package spec

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/resolve"
)

// elsewhere are names that people know from other vocabularies, with what says the same here.
var elsewhere = map[string]string{
	"np": "write exp, not np.exp", "numpy": "write exp, not numpy.exp", "jnp": "write exp, not jnp.exp",
	"torch": "write exp, not torch.exp",
	"F":     "write softmax, not F.softmax", "math": "write exp, not math.exp", "mx": "write exp, not mx.exp",
	"tf": "write exp, not tf.exp",

	"concatenate": "concat(parts, axis)", "cat": "concat(parts, axis)", "vstack": "concat(parts, 0)",
	"hstack": "concat(parts, 1)", "append": "concat([x, y])",
	"expand_dims": "x[:, None]", "unsqueeze": "x[:, None]", "newaxis": "None, as in x[:, None]",
	"swapaxes": "transpose(x, axes)", "moveaxis": "transpose(x, axes)", "permute": "transpose(x, axes)",
	"permute_dims": "transpose(x, axes)", "swapdims": "transpose(x, axes)",
	"view": "reshape(x, shape)", "ravel": "reshape(x, [-1])", "flatten": "reshape(x, [-1])",
	"rearrange": "reshape and transpose",
	"split":     "slices, as in x[:, :4]", "chunk": "slices, as in x[:, :4]", "array_split": "slices, as in x[:, :4]",
	"narrow":     "slices, as in x[:, :4]",
	"zeros_like": "zeros(x.shape)", "ones_like": "ones(x.shape)", "full_like": "full(x.shape, value)",
	"empty": "zeros(shape)", "empty_like": "zeros(x.shape)",
	"array": "tensor(list)", "asarray": "tensor(list)", "linspace": "low + arange(n) * step", "identity": "eye(n)",
	"range_like": "arange(n)", "diag": "x * eye(n)",
	"dot": "x @ y", "mm": "x @ y", "bmm": "x @ y", "vdot": "sum(x * y)", "inner": "einsum", "tensordot": "einsum",
	"kron":     "einsum",
	"subtract": "x - y", "add": "x + y", "multiply": "x * y", "divide": "x / y", "true_divide": "x / y",
	"negative": "-x", "mod": "x % y", "remainder": "x % y", "floor_divide": "x // y",
	"bitwise_and": "x & y", "bitwise_or": "x | y", "bitwise_xor": "x ^ y", "left_shift": "x << n",
	"right_shift": "x >> n", "bitwise_not": "~x", "invert": "~x",
	"pow": "power(x, y), or x ** y", "float_power": "power(x, y)", "fabs": "abs(x)", "cbrt": "power(x, 1.0 / 3)",
	"logaddexp": "log(exp(x) + exp(y))", "isinf": "abs(x) == inf",
	"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "fmax": "maximum", "fmin": "minimum",
	"fix": "trunc", "around": "round", "round_": "round",
	"clamp": "clip(x, low, high)", "nan_to_num": "where(isnan(x), 0, x)", "masked_fill": "where(mask, value, x)",
	"select": "where", "heaviside": "where(x < 0, 0, 1)",
	"topk": "top_k(x, k)", "argpartition": "top_k(x, k)", "flipud": "flip(x, 0)", "fliplr": "flip(x, 1)",
	"repeat_interleave": "repeat", "expand": "broadcast_to(x, shape)",
	"gather": "take, or x[rows, places]", "take_along_axis": "x[rows, places]",
	"index_select": "take(x, indices, axis)", "embedding": "x[indices]", "cumulative_sum": "cumsum",
	"count_nonzero": "sum(x != 0)", "median": "sort", "quantile": "sort", "norm": "sqrt(sum(x * x, -1))",
	"average": "sum(x * weights)", "amean": "mean", "nansum": "sum(where(isnan(x), 0, x))",
	"histogram": "bincount", "digitize": "searchsorted", "cummin": "-cummax(-x)", "diff": "x[1:] - x[:-1]",
	"convolve": "a sum of slices", "logit": "log(x / (1 - x))",
	"f64":     "tensors of a definition have float64 without saying so",
	"float64": "tensors of a definition have float64 without saying so",
	"float32": "f32", "float16": "f16", "half": "f16", "bfloat16": "bf16", "bfloat": "bf16", "int8": "i8",
	"uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32", "int64": "i64", "uint64": "u64",
	"uchar": "u8", "ushort": "u16", "short": "i16", "uint": "u32", "ulong": "u64", "long": "i64",
}

// advised is an error of a name that nothing has, with what says the same if that is known.
func advised(err error) error {
	var list resolve.ErrorList
	if !errors.As(err, &list) {
		return err
	}
	first := list[0]
	name, found := strings.CutPrefix(first.Msg, "undefined: ")
	if advice := elsewhere[name]; found && advice != "" {
		return fmt.Errorf("%s: %s (here: %s)", first.Pos, first.Msg, advice)
	}
	return err
}
