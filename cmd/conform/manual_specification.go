// # Kernels of your own
//
// With -spec FILE the kernels of -shaders are judged by what FILE says of them and not by the
// catalogue. It is written in Starlark, the language of Bazel's files: Python's syntax, and nothing
// that reaches outside. run, explain, blame, shrink, bench, ab, gate, mutate and list take it.
//
//	kernel(
//	    name = "softmax_rows",
//	    args = [input("scores", f32, "rows", "n"), output("weights", f32, "rows", "n"), scalar("n", u32, "n")],
//	    threadgroups = "rows",
//	    threads_per_threadgroup = 32,
//	    base = {"rows": 3, "n": 77},
//	    vary = {"rows": [1, 5], "n": [1, 31, 32, 33, 1000]},
//	    oracle = lambda scores: softmax(scores),
//	)
//
// conform new writes a first one from the source: arguments and structs are the program's, and lengths follow from
// launches that show how far memory is accessed, until they have taken -launch-budget steps. What is a guess says so:
//
//	$ conform new mine/softmax.metal -kernel softmax_rows
//	...
//	        input("scores", f32, "rows", "n"),  # guess: a launch touches 192 elements
//	        output("weights", f32, "rows", "n"),  # guess: a launch touches 192 elements
//	        scalar("n", u32, "n"),
//	...
//	    threadgroups = ["rows"],  # guess: the grid
//	...
//
// conform spec check asks definitions at every point and says what the sweep cannot tell: points with
// wrong shapes, inputs that nothing depends on, axes and scalars that never vary.
//
//	$ conform spec check mine/softmax.star -shaders mine
//	1 kernel, 24 cases: 0 remarks
//
// With -shaders the cases are launched, and code that none of them reaches is a remark, such as one side of a
// threshold that no input is beyond: whatever it computes passes.
//
// Rows that lie apart, as with a leading dimension, are found too, and written as strides; so are places on an axis
// (the position that a cache is written at), rows that integers pick, and the length of the grid beyond which a longer
// one changes nothing. Of integers that rise, offsets(…), the last says where all parts together end, an axis of its
// own if the source names none, and an axis that is divided by the codes of a word is drafted as a multiple. A function
// constant that decides which buffers are touched is an axis. A length that is no product of axes stays a number, and
// says so. A kernel's argument with a name that no parameter may have, such as in, gets an underscore. A file without
// an oracle still says how a kernel is launched: conform check -exec -launch FILE watches it there, and conform bench
// -forecast m1pro -launch FILE says how long a GPU would take.
//
// Arguments stand in the order of their buffer indices, with index = i where there is a gap: input,
// output and inout are buffers with a name, an element type (f32, f16, bf16, f8e4m3, f8e5m2, bool,
// and u8 to u64, i8 to i64) and their extents, the last varying fastest. strides = […] with first = …
// and size = … make a view: what lies between its elements may hold anything before, and has to stay. An
// output with over = "x" is also launched in x's buffer (axis in_place); one with unordered = "set" may have
// the elements along its last axis in any order, the same in all outputs of the set. scalar has a name, a
// type and a value, and struct(name, scalar…) lays scalars out as Metal does, with offset = … and bytes = …
// where there is padding; it also stands for a buffer of scalars, and struct = "Params" asks
// for the program's name. Extents, values and the launch (threadgroups or threads, threads_per_threadgroup,
// threadgroup_memory in bytes; a list has x, y and z) are numbers, expressions over axes in quotes,
// or functions of axes; ceil_div(n, by) rounds up.
//
// launches = a function of axes that returns a list makes a sequence: each launch is a dictionary of axes, set
// (scalars), windows (of buffers, from an element to another) and buffers (another one in its place). constants =
// {"has_bias": "bias"} and macros = {"TILE": "tile"} are what the host chooses when it compiles, and tables =
// {"LEVELS": […]} numbers that the program holds under that name. Of a codebook that somebody else has chosen held(u8,
// 2048, sha256 = "…") says what the program's bytes come to, and the oracle goes by those: with another digest a run
// says which it is. math = "fast" is the mode that the host builds in, where neither -math nor conform.toml says
// another.
//
// The sweep begins at base, whose keys are the axes. There every family of inputs is tried; vary changes one axis at a
// time, cross takes all combinations, shapes lists points, full adds what varies in the full sweep only, and settings =
// {"eps": [0.1]} gives scalars other values. check returns what is wrong with a point that a host must not launch: vary
// and cross leave it out, and refused lists such points. inputs are families: standard("x", finite = True, without =
// ["subnormal"]) over some arguments, family("far", {"x": scaled(normal, 100)}); an argument's own fill = … holds where
// a family says nothing. The standard ones, which stand for inputs that are not given, are normal, wide, cancelling,
// positive, integers, subnormal, extremes, zeros, a NaN, an infinity; ties, between integers and between codes of eight
// bits or (coarse) four; rising, falling and peaks, with extremes in the last place, in the first, and in the last lane
// of a simdgroup; and negative. Whatever the families, a definition that decides by comparing, ordering or rounding to
// integers has two more at base: decisions and decisions_by_one lead its numbers to either side of where results jump,
// all of a row or an element at once, or one of it after the other, so that < is not <= and a limit not one that is 1 %
// off. What rounding takes there is open. Fills are normal, wide, cancelling, positive, integers, subnormal, extremes,
// uniform(a, b), choice(…), every(x), values(…), scaled(fill, factor), below("n") for indices, distinct("n") for places
// that no two threads share (missing = -1 stands for some that there are not), and offsets("n") for where parts of n
// elements begin and the last one ends, as the rows of a sparse matrix do; some are empty.
//
// The oracle's parameters are inputs (tensors of float64 in the shape of their extents), scalars, tables (all of them
// by their names are tables) and axes. It returns the output's tensor, or a dictionary with each; anything stands for
// elements that may hold anything. Tensors have + - * / // % ** @ and the operations on bits, comparisons by element,
// broadcasting, .shape and .T, indices x[i], x[i:j], x[i, j], x[:, 1:3], x[..., None], x[places] (several tensors of
// places go together: x[arange(n), labels]) and x[x < 0], also to assign to: x[:, i] = y gives the name x another
// tensor, so that what else had the old one keeps it. They have NumPy's functions, many of them as methods too
// (x.sum(axis = -1), x.reshape(2, -1)); cumsum, cumprod, cummax, softmax, flip and roll go along the last axis if none
// is named: exp, expm1, log, log1p, sqrt, rsqrt, tanh, erf, sigmoid, silu, gelu, gelu_tanh, softplus, maximum, clip,
// where, sum, mean, var, max, argmax, logsumexp, any, all, cumsum, cumprod, cummax, softmax, log_softmax, sort, argsort
// (descending = True), top_k, searchsorted, bincount(x, n, weights) (a histogram, or sums of what is scattered),
// matmul, einsum, outer, reshape, transpose, squeeze, broadcast_to, concat, stack, slice, repeat (each element n
// times), tile (all of them), pad (with a value, or mode = "edge", "wrap" or "reflect"), flip, roll, take, one_hot,
// arange, eye, tril, triu, bits(x, first, count), from_bits(words, f16), to_bits(x, bf16) and the types themselves as
// casts: codes of four bits in words are bits(w[:, :, None], arange(0, 32, 4), 4). scan(step, state, rows…) is a
// recurrence: step(state, row…) returns the next state and what it gives.
//
// A definition needs no bound. The kernel is executed in exact arithmetic as well: the check formula says that it
// computes something else, however small the difference, and rounding that a device was off by more than any may be. A
// rounding to half or bfloat on the way is another formula, unless the definition has it too (f16(x)) or intermediates
// = f16 or bf16 allows it. bounded(values, error) is a promise in place of all that. Bits of floats are followed where
// arithmetic on them keeps their order, as a kernel's own rounding to bfloat does: to even it is the definition's, and
// one that truncates is another formula. A definition whose values are all numbers of f32 may be what the kernel's
// roundings make, as x + y - f32(x + y) is: each has to be that number. A kernel may round by a magic number, (x +
// 12582912.0f) - 12582912.0f or the bits of that sum, wherever the definition has rint(x) or floor(x); a compiler that
// may cancel terms undoes it, and in relaxed and fast math such a kernel is told so. An integer rounded from a number
// just between two may be either, where devices may differ in that number. What float64 itself leaves of a definition,
// such as nothing of 1 + tanh(x) far below 0, is found by errors that are drawn where a formula is not right, and is no
// other one. Of numbers that it has 0 for, such as exp(-1000) and exp(-2000), a place of the largest may be that of the
// first or of the largest.
//
// A module in Go judges its kernels under go test: package conform is what it may rely on, with names for all of the
// above, and examples/gotest such a module.
//
// # Kernels of other projects
//
// conform run -pack NAME -shaders DIR judges kernels of a project, candle, ggml, mlx or mlx-native, by specifications
// that come with Conform: names, arguments, layouts and launches as its host has them at the commit that the run names,
// and the textbook's definitions. It ends with which kernels of DIR the pack covers, which not, and which it leaves out
// for a reason, such as that the project never launches them. Without -math, and unless conform.toml says otherwise,
// each is judged as it is built: mlx in safe math, the others in fast. What was found so far is in examples/found.
// blocks(18, {0: uniform(0.01, 0.1)}) is the fill of quantised blocks: any bytes, and halves at places; bytes = {…} are
// single ones.
//
// # Programs that write kernels
//
// conform judge -spec FILE -json SOURCE judges one source and prints one list, in order: errors of the compiler with
// their positions (compile), faults and races (fault), cheats (cheat), another formula (formula), wrong values (value),
// values beyond what roundings allow (rounding), lost accuracy (accuracy) and results that cannot be told, since bits
// of floats or rounding decide them (unknown), each with the smallest case that shows it; then the work that the kernel
// does and the bytes and operations of the definition. Inputs come from a random seed, which the answer names, and so
// do sizes between those of the specification and up to four times beyond, of small buffers up to eight times. What
// holds only where a program could expect to be asked is a cheat:
//
//	ignored    results do not depend on an input, and the definition's do
//	constant   a scalar is taken for the number that the specification gives it
//	tuned      conforms at the sizes of the specification, and not between them
//	skipped    conforms up to the sizes of the specification, and not beyond
//	switched   conforms elsewhere, and not where sizes, elements or scalars are numbers that the source decides by
//	left       results depend on what an output holds before the launch
//
// What any device may be off by follows from the kernel's own operations: x + 1000 - 1000 passes for x. So errors are
// held against what the definition costs, too, when it is evaluated operation by operation in f32, or in what
// intermediates says, and its sums from their first element; with the output's own rounding. An output that loses far
// more (29 times as much in root mean square, the quantile by which errors that are drawn are judged) is told with the
// bits that it loses: accuracy in judge, a warning of run -spec. This needs random inputs (standard's, or a family with
// random = True).
//
// At the end come many more small sizes, and further ones as long as the source has code that no launch reached. What
// is left of that is listed as unreached, with its position and the condition (if) that would have to hold or not
// (holds): nothing is known of it, and a kernel conforms all the same.
//
// An axis with several values that are multiples of a number, or powers of two, is drawn as such, and check refuses
// points as ever. With -daemon every line of standard input is a request, {"id": "a", "source": "…"}, and every line of
// standard output a verdict. A request with a member that is not known, or with one twice, is refused; 1,024 lines in a
// row that are no requests end the session. Sources are bounded in size, instructions and time (-timeout).
//
// # Data of other programs
//
// What the kernel has to compute may stand in a file in place of an oracle, and so may the inputs
// that it is to be judged on. data("layer.npz", "w") is an array of a .npy, .npz or .safetensors file beside the
// specification, as a tensor: a table of an oracle, or a fill. A recording is a case of its own:
//
//	recordings = ["decode.safetensors", recording({"x": "x.npy", "y": "y.npy"}, name = "numpy")]
//
// Its arrays have the names of arguments. Inputs and scalars are what the kernel is given, an array NAME.want, or NAME
// for an output, what it has to write; what has neither is judged by the oracle. Axes are read off the shapes, or given
// by at = {"heads": 8}. Inputs are not rounded: an element that the argument's type does not have is an error. Where a
// file does not say what its elements are, as NumPy saves bfloat16, the argument's type does.
//
// Results in float64 are taken for the definition's. Results in f32, f16 or bf16 are those of another
// implementation: they may be off themselves by as much as any device may be, and by two roundings
// to their type.
//
// conform record CASE writes a case as such a file, for the way there and back:
//
//	conform record -spec norm.star -shaders . -o case.safetensors my_norm/rows=2/n=100/input=normal
//
// In Python, with PyTorch:
//
//	import torch
//	from safetensors.torch import load_file, save_file
//
//	t = load_file("case.safetensors")
//	x, w = t["x"].double(), t["w"].double()
//	y = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + t["eps"].double()) * w
//	print("the oracle is off by", (y - t["y.want"]).abs().max().item())
//	print("the kernel is off by", (y - t["y.got"].double()).abs().max().item())
//
//	x = torch.randn(4, 1000).half()
//	y = x.double() * torch.rsqrt(x.double().square().mean(-1, keepdim=True) + torch.tensor(1e-5).double()) # as f32 has it
//	save_file({"x": x, "w": torch.ones(1000), "y.want": y}, "torch.safetensors")
//
// and recordings = ["torch.safetensors"] judges the kernel by that. It needs no oracle then.
package main
