package spec

// Function describes a name that files have in addition to those of Starlark: a function, an element type, a fill or a
// constant.
type Function struct {
	Group     string // a heading of the manual
	Signature string // the name, and for functions the parameters with their defaults
	Meaning   string // one sentence
	Example   string // an expression in a file
}

// Name is what files call it.
func (f Function) Name() string {
	for i, c := range f.Signature {
		if c == '(' {
			return f.Signature[:i]
		}
	}
	return f.Signature
}

// Reference describes every name that is predeclared, in the order of the manual. Its examples are evaluated by tests,
// in a directory with a file layer.safetensors that has an array w = [1, 2, 3].
var Reference = functionsOf(
	section{"Specification", []row{
		{"kernel(name, args, base, oracle, ...)", "specifies an entry point; the topics specifications and shapes " +
			"list its arguments", `kernel(name = "copy", args = [input("a", f32, "n"), output("b", f32, "n")], ` +
			`threads = "n", threads_per_threadgroup = 32, base = {"n": 64}, oracle = lambda a: a)`},
		{"input(name, type, extents..., index, strides, first, size, struct, fill)", "is a buffer that the kernel " +
			"reads", `input("x", f32, "rows", "n")`},
		{"output(name, type, extents..., index, strides, first, size, struct, unordered, over)",
			"is a buffer that the kernel writes", `output("y", f16, "rows")`},
		{"inout(name, type, extents..., index, strides, first, size, struct, fill, unordered)",
			"is a buffer that the kernel reads and writes", `inout("state", f32, "heads", "d")`},
		{"scalar(name, type, value, index, offset)", "is a number that the host passes",
			`scalar("n", u32, "n")`},
		{"struct(name, scalars..., index, bytes, struct)", "is a struct of scalars in the layout of Metal",
			`struct("params", scalar("n", u32, "n"), scalar("eps", f32, 1e-5))`},
		{"ceil_div(n, by)", "is n / by, rounded up", "ceil_div(33, 32)"},
		{"bounded(values, error)", "is an answer of an oracle with a bound that replaces exact execution",
			"bounded(tensor([1, 2]), 1e-3)"},
		{"anything", "is an element of an answer that may have any value", "[1.0, anything]"},
		{"held(type, count, sha256)", "is a table of numbers that the program holds, known by the digest of their " +
			"bytes", `held(u8, 16, sha256 = "0" * 64)`},
		{"data(file, name, type)", "is an array of a file in the directory of the specification",
			`data("layer.safetensors", "w")`},
		{"recording(from, at, name)", "is a case whose inputs, and perhaps results, are in files",
			`recording({"x": ("layer.safetensors", "w")}, name = "decode")`},
	}},
	section{"Inputs", []row{
		{"standard(names..., finite = False, without = [])", "is the standard families of inputs, over the named " +
			"arguments or over all that are floats", `standard("x", finite = True, without = ["subnormal"])`},
		{"family(name, fills, random = False)", "is one family of inputs",
			`family("far", {"x": scaled(normal, 100)}, random = True)`},
		{"normal", "draws from the normal distribution", `input("x", f32, "n", fill = normal)`},
		{"wide", "draws numbers of many magnitudes", `input("x", f32, "n", fill = wide)`},
		{"cancelling", "draws numbers whose sum nearly cancels", `input("x", f32, "n", fill = cancelling)`},
		{"positive", "draws positive numbers", `input("x", f32, "n", fill = positive)`},
		{"integers", "draws small integers", `input("x", f32, "n", fill = integers)`},
		{"subnormal", "draws subnormal numbers", `input("x", f32, "n", fill = subnormal)`},
		{"extremes", "draws numbers that are far apart, the largest of bfloat among them",
			`input("x", f32, "n", fill = extremes)`},
		{"zeros_of", "fills with zeros", `input("x", f32, "n", fill = zeros_of)`},
		{"uniform(low, high)", "draws evenly from low to high", "uniform(-1, 1)"},
		{"choice(values...)", "draws one of the values for each element", "choice(-1, 0, 1)"},
		{"every(value)", "gives every element the value", "every(0.5)"},
		{"values(numbers...)", "gives the first elements, and then zeros", "values(1, 2, 4)"},
		{"scaled(fill, factor)", "multiplies what another fill draws", "scaled(normal, 100)"},
		{"below(end)", "draws integers from 0 to end - 1", `below("n")`},
		{"distinct(end, missing)", "draws integers from 0 to end - 1, each at most once",
			`distinct("n", missing = -1)`},
		{"offsets(end)", "draws where parts begin and the last one ends, from 0 to end", `offsets("n")`},
		{"causal(rows, columns, start = 0, masked = -inf)", "is 0 where the column is at most row + start, and " +
			"masked elsewhere; leading extents repeat it", `input("mask", f32, "t", "n", fill = causal("t", "n"))`},
		{"banded(rows, columns, width, start = 0, masked = -inf)", "is 0 at the last width columns up to row + " +
			"start, and masked elsewhere", `banded("t", "n", 4, masked = -1e4)`},
		{"indexed(extents..., function)", "gives each element what a function of its indices returns; the function " +
			"gets a tensor for each extent, and axes by their names",
			`indexed("t", "n", lambda i, j, n: where(i + j < n, 1 / (1 + j), -inf))`},
		{"blocks(size, halves, bytes)", "draws quantised blocks: any bytes, and halves and bytes at given places",
			"blocks(18, {0: uniform(0.01, 0.1)})"},
	}},
	section{"Element types", []row{
		{"f32", "is single precision; as a function it rounds to nearest, ties to even", "f32(0.1) == 0.1"},
		{"f16", "is half precision", "f16(tensor([0.1, 70000]))"},
		{"bf16", "is bfloat", "bf16(3.14159)"},
		{"f8e4m3", "is a float of 8 bits with 4 for the exponent", "f8e4m3(tensor([1.1, 500]))"},
		{"f8e5m2", "is a float of 8 bits with 5 for the exponent", "f8e5m2(1.1)"},
		{"bool", "is a truth value; as a function it is 1 for elements that are not 0", "bool(tensor([0, 3]))"},
		{"u8", "is an integer of 8 bits without sign; as a function it drops the fraction and keeps the low bits",
			"u8(tensor([2.9, 257]))"},
		{"u16", "is an integer of 16 bits without sign", "u16(65537)"},
		{"u32", "is an integer of 32 bits without sign", "u32(-1)"},
		{"u64", "is an integer of 64 bits without sign", "u64(7.5)"},
		{"i8", "is an integer of 8 bits with sign", "i8(tensor([200]))"},
		{"i16", "is an integer of 16 bits with sign", "i16(40000)"},
		{"i32", "is an integer of 32 bits with sign", "i32(-1.5)"},
		{"i64", "is an integer of 64 bits with sign", "i64(-1.5)"},
	}},
	section{"Make tensors", []row{
		{"tensor(values)", "is a tensor of the numbers in a list, or in lists of lists", "tensor([[1, 2], [3, 4]])"},
		{"zeros(shape)", "is a tensor of zeros", "zeros([2, 2])"},
		{"ones(shape)", "is a tensor of ones", "ones(3)"},
		{"full(shape, value)", "is a tensor of one value", "full([2], 0.5)"},
		{"arange(first = 0, end, step = 1)", "is the integers from first to before end", "arange(0, 32, 8)"},
		{"eye(n)", "is the identity matrix", "eye(2)"},
	}},
	section{"Element by element", elementReference},
	section{"Reduce", []row{
		{"sum(x, axis, keepdims = False)", "adds up all elements, or those along axes",
			"sum(tensor([[1, 2], [3, 4]]), axis = 0)"},
		{"mean(x, axis, keepdims = False)", "is the mean",
			"mean(tensor([[1, 3], [4, 6]]), axis = -1, keepdims = True)"},
		{"prod(x, axis, keepdims = False)", "is the product", "prod(tensor([2, 3, 4]))"},
		{"max(x, axis, keepdims = False)", "is the largest element; of several arguments, the largest",
			"max(tensor([[1, 5], [7, 2]]), axis = 1)"},
		{"min(x, axis, keepdims = False)", "is the smallest element; of several arguments, the smallest",
			"min(tensor([2, 1]))"},
		{"amax(x, axis, keepdims = False)", "is max", "amax(tensor([2, 1]))"},
		{"amin(x, axis, keepdims = False)", "is min", "amin(tensor([2, 1]))"},
		{"argmax(x, axis, keepdims = False)", "is the place of the first largest element",
			"argmax(tensor([1, 3, 3]))"},
		{"argmin(x, axis, keepdims = False)", "is the place of the first smallest element",
			"argmin(tensor([2, 1, 1]))"},
		{"var(x, axis, keepdims = False)", "is the variance, divided by n", "var(tensor([1, 3]))"},
		{"std(x, axis, keepdims = False)", "is the root of the variance", "std(tensor([1, 5]))"},
		{"logsumexp(x, axis, keepdims = False)", "is log(sum(exp(x))), without overflow",
			"logsumexp(tensor([1000, 1000])) == 1000 + log(2)"},
		{"any(x, axis, keepdims = False)", "is 1 if an element is not 0", "any(tensor([0, 1]))"},
		{"all(x, axis, keepdims = False)", "is 1 if no element is 0", "all(tensor([0, 1]))"},
	}},
	section{"Along an axis", []row{
		{"softmax(x, axis = -1)", "is exp(x) divided by its sum", "softmax(tensor([0, 0]))"},
		{"log_softmax(x, axis = -1)", "is the logarithm of softmax", "log_softmax(tensor([0, 0])) == -log(2)"},
		{"cumsum(x, axis = -1)", "is the sums up to each element", "cumsum(tensor([1, 2, 3]))"},
		{"cumprod(x, axis = -1)", "is the products up to each element", "cumprod(tensor([2, 3, 4]))"},
		{"cummax(x, axis = -1)", "is the largest element up to each one", "cummax(tensor([1, 3, 2]))"},
		{"sort(x, axis = -1, descending = False)", "sorts", "sort(tensor([3, 1, 2]), descending = True)"},
		{"argsort(x, axis = -1, descending = False)",
			"is the places of the elements in order; equal ones keep theirs", "argsort(tensor([3, 1, 1]))"},
		{"top_k(x, k)", "is the k largest elements of the last axis and their places",
			"top_k(tensor([1, 3, 3, 2]), 2)"},
		{"flip(x, axis = -1)", "reverses an axis", "flip(tensor([1, 2, 3]))"},
		{"roll(x, shift, axis = -1)", "moves elements along an axis, the last ones to the front",
			"roll(tensor([1, 2, 3]), 1)"},
		{"repeat(x, n, axis = 0)", "repeats each element n times", "repeat(tensor([1, 2]), 2)"},
		{"tile(x, n, axis = 0)", "repeats the whole axis n times", "tile(tensor([1, 2]), 2)"},
		{`pad(x, before, behind, axis = -1, value = 0, mode)`,
			"adds elements before and after an axis: a value, or as mode edge, wrap or reflect says",
			`pad(tensor([1, 2, 3]), 1, 2, mode = "edge")`},
		{"scan(step, state, rows...)", "is a recurrence: step(state, row...) returns the next state and an answer; " +
			"the result is the last state and all answers", "scan(lambda s, x: (s + x, s * x), 0, tensor([1, 2, 3]))"},
	}},
	section{"Shape", []row{
		{"reshape(x, shape)", "gives the elements another shape; -1 stands for what is left",
			"reshape(arange(6), 2, -1)"},
		{"transpose(x, axes)", "reorders axes, or reverses their order",
			"transpose(zeros([2, 3, 4]), 1, 2, 0).shape"},
		{"squeeze(x, axis)", "removes axes of length 1", "squeeze(zeros([1, 2, 1])).shape"},
		{"broadcast_to(x, shape)", "repeats axes of length 1 until the shape fits",
			"broadcast_to(tensor([[1], [2]]), 2, 2)"},
		{"concat(parts, axis = 0)", "joins tensors along an axis", "concat([tensor([1]), tensor([2, 3])])"},
		{"stack(parts, axis = 0)", "joins tensors along a new axis",
			"stack([tensor([1, 2]), tensor([3, 4])], axis = 1)"},
		{"slice(x, axis, first, end, step = 1)", "is a part of an axis, as x[first:end:step]",
			"slice(arange(6), 0, 1, 6, 2)"},
		{"span(first, end, step = 1)", "is a slice as an index of its own", "tensor([[1, 2], [3, 4]])[span(None), 1]"},
		{"tril(x, k = 0)", "keeps the elements on and below the k-th diagonal", "tril(ones([2, 2]))"},
		{"triu(x, k = 0)", "keeps the elements on and above the k-th diagonal", "triu(ones([2, 2]), 1)"},
	}},
	section{"Select and count", []row{
		{"where(condition, x, y)", "is x where the condition holds, and y elsewhere",
			"where(tensor([1, 5]) > 3, 0, 1)"},
		{"take(x, indices, axis = 0)", "is the elements of an axis at the indices",
			"take(tensor([10, 20, 30]), tensor([2, 0]))"},
		{"one_hot(indices, n)", "is 1 at each index along a new axis of length n, and 0 elsewhere",
			"one_hot(tensor([1, 0]), 2)"},
		{"bincount(x, n, weights)", "counts each integer below n, or adds up the weights of its places",
			"bincount(tensor([1, 0, 1]), 3)"},
		{`searchsorted(sorted, x, side = "left")`, "is where x would be inserted in a sorted vector",
			"searchsorted(tensor([1, 2, 2, 5]), 2)"},
	}},
	section{"Products", []row{
		{"matmul(x, y)", "is the product of matrices, as x @ y", "matmul(tensor([[1, 2], [3, 4]]), tensor([1, 1]))"},
		{"outer(x, y)", "is the outer product of two vectors", "outer(tensor([1, 2]), tensor([3, 4]))"},
		{"einsum(notation, tensors...)", "multiplies and adds up as the notation says",
			`einsum("ij,j->i", tensor([[1, 2], [3, 4]]), tensor([1, 1]))`},
	}},
	section{"Bits", []row{
		{"bits(x, first, count)", "is count bits of integers from bit first on", "bits(tensor([0xb4]), 4, 4)"},
		{"from_bits(words, type)", "is the numbers whose bits are the words", "from_bits(tensor([0x3c00]), f16)"},
		{"to_bits(x, type)", "is the bits of numbers of a type", "to_bits(tensor([1, -2]), bf16)"},
	}},
	section{"Constants", []row{
		{"pi", "is the circumference of a circle divided by its diameter", "pi"},
		{"e", "is the base of the natural logarithm", "e"},
		{"inf", "is infinity", "-inf < 0"},
		{"nan", "is not a number", "isnan(nan)"},
	}},
)

// elementReference describes the functions that take tensors element by element.
var elementReference = []row{
	{"exp(x)", "is the exponential", "exp(0)"},
	{"exp2(x)", "is 2 to the power x", "exp2(3)"},
	{"expm1(x)", "is exp(x) - 1", "expm1(0)"},
	{"log(x)", "is the natural logarithm", "log(1)"},
	{"log2(x)", "is the logarithm to base 2", "log2(8)"},
	{"log10(x)", "is the logarithm to base 10", "log10(1000)"},
	{"log1p(x)", "is log(1 + x)", "log1p(0)"},
	{"sqrt(x)", "is the square root", "sqrt(tensor([4, 9]))"},
	{"rsqrt(x)", "is 1 / sqrt(x)", "rsqrt(4)"},
	{"square(x)", "is x * x", "square(3)"},
	{"reciprocal(x)", "is 1 / x", "reciprocal(4)"},
	{"power(x, y)", "is x to the power y, as x ** y", "power(2, tensor([1, 3]))"},
	{"hypot(x, y)", "is sqrt(x * x + y * y)", "hypot(3, 4)"},
	{"fmod(x, y)", "is the remainder with the sign of x; x % y has the sign of y", "fmod(-7, 4)"},
	{"sin(x)", "is the sine", "sin(0)"},
	{"cos(x)", "is the cosine", "cos(0)"},
	{"tan(x)", "is the tangent", "tan(0)"},
	{"asin(x)", "is the inverse of sin", "asin(0)"},
	{"acos(x)", "is the inverse of cos", "acos(1)"},
	{"atan(x)", "is the inverse of tan", "atan(0)"},
	{"atan2(y, x)", "is the angle of a point", "atan2(0, 1)"},
	{"sinh(x)", "is the hyperbolic sine", "sinh(0)"},
	{"cosh(x)", "is the hyperbolic cosine", "cosh(0)"},
	{"tanh(x)", "is the hyperbolic tangent", "tanh(0)"},
	{"erf(x)", "is the error function", "erf(0)"},
	{"erfc(x)", "is 1 - erf(x)", "erfc(0)"},
	{"sigmoid(x)", "is 1 / (1 + exp(-x))", "sigmoid(0)"},
	{"silu(x)", "is x * sigmoid(x)", "silu(0)"},
	{"softplus(x)", "is log(1 + exp(x))", "softplus(0) == log(2)"},
	{"relu(x)", "is x, or 0 if x is negative", "relu(tensor([-1, 2]))"},
	{"gelu(x)", "is x times the normal distribution function of x", "gelu(0)"},
	{"gelu_tanh(x)", "is gelu in its approximation by tanh", "gelu_tanh(0)"},
	{"abs(x)", "is the magnitude", "abs(tensor([-1, 2]))"},
	{"absolute(x)", "is abs", "absolute(-2)"},
	{"sign(x)", "is -1, 0 or 1", "sign(tensor([-3, 0, 5]))"},
	{"floor(x)", "is the integer at or below x", "floor(tensor([1.5, -1.5]))"},
	{"ceil(x)", "is the integer at or above x", "ceil(tensor([1.5, -1.5]))"},
	{"trunc(x)", "drops the fraction", "trunc(tensor([1.5, -1.5]))"},
	{"round(x)", "is the nearest integer, the even one of two", "round(tensor([0.5, 1.5]))"},
	{"rint(x)", "is round", "rint(tensor([0.5, 1.5]))"},
	{"maximum(x, y)", "is the larger of two elements", "maximum(tensor([1, 5]), 3)"},
	{"minimum(x, y)", "is the smaller of two elements", "minimum(tensor([1, 5]), 3)"},
	{"clip(x, low, high)", "keeps elements between low and high", "clip(tensor([-2, 0, 7]), -1, 1)"},
	{"isnan(x)", "is 1 for a NaN", "isnan(tensor([nan, 1]))"},
	{"isfinite(x)", "is 1 for what is neither a NaN nor an infinity", "isfinite(tensor([inf, 1]))"},
	{"less(x, y)", "is x < y", "less(1, tensor([1, 2]))"},
	{"less_equal(x, y)", "is x <= y", "less_equal(1, tensor([1, 2]))"},
	{"greater(x, y)", "is x > y", "greater(2, tensor([1, 2]))"},
	{"greater_equal(x, y)", "is x >= y", "greater_equal(2, tensor([1, 2]))"},
	{"equal(x, y)", "is x == y", "equal(1, tensor([1, 2]))"},
	{"not_equal(x, y)", "is x != y", "not_equal(1, tensor([1, 2]))"},
	{"logical_and(x, y)", "is 1 if neither is 0", "logical_and(tensor([0, 2]), 1)"},
	{"logical_or(x, y)", "is 1 if one is not 0", "logical_or(tensor([0, 2]), 0)"},
	{"logical_not(x)", "is 1 if x is 0", "logical_not(tensor([0, 2]))"},
}

// section is a part of the reference.
type section struct {
	name string
	rows []row
}

// row is a function without its group.
type row struct{ signature, meaning, example string }

// functionsOf gives each function the name of its group.
func functionsOf(sections ...section) []Function {
	var all []Function
	for _, s := range sections {
		for _, r := range s.rows {
			all = append(all, Function{s.name, r.signature, r.meaning, r.example})
		}
	}
	return all
}
