// Conform judges Apple Metal compute kernels against float64 oracles.
//
// Usage:
//
//	conform run [flags]                        judge kernels
//	conform report [flags] RESULTS...          show results, join shards, compare runs
//	conform ab -base DIR -head DIR [flags]     compare two versions of the kernels side by side
//	conform gate -base REV [flags]             judge what a pull request changes
//	conform compare [flags] BASE HEAD          compare two runs: verdicts, accuracy and times
//	conform history COMMAND                    keep results of many runs, and find where they changed
//	conform serve [flags] RESULTS...           show results in a browser, and follow a run
//	conform explain [flags] CASE [ELEMENT]     show how an element came to its verdict
//	conform blame [flags] CASE [ELEMENT]       show which lines an element's error comes from
//	conform shrink [flags] CASE                make a case that fails small
//	conform record [flags] CASE                write a case's inputs and results for other programs
//	conform judge -spec FILE [flags] SOURCE    judge one source, for programs that write kernels
//	conform bench [flags]                      time kernels
//	conform calibrate -device DEVICE           fit forecasts of times to this GPU
//	conform list [flags]                       show families, kernels and cases
//	conform check [flags] FILE...              look for errors in .metal files
//	conform new FILE -kernel NAME              write a first specification of a kernel
//	conform spec check FILE...                 look for what a specification leaves untested
//	conform mutate [flags] [KERNEL...]         judge kernels with small edits, which should fail
//	conform devices [flags]                    show what the devices here can do
//	conform intrinsics [flags]                 measure how accurate a device's functions are
//	conform completion SHELL                   print a script that completes commands
//	conform version                            print the version of this program
//
// A kernel is judged by running it over a sweep of shapes and inputs. One point
// of a sweep with one family of inputs is a case, and a case has one name
// everywhere:
//
//	rms_norm_bf16_fused_n_tokens/n_tokens=3/dim=257/input=cancelling
//
// The inputs follow from the name and the seed, so these two are enough to repeat a
// case. After the run every element of every output is compared with the exact value
// that the oracle computes. How far it may be off is not chosen but follows from
// what the kernel promises: its accumulator, the order of its sums, the functions it
// uses. Outputs are poisoned before the run, and guard regions surround every buffer,
// so a case also fails if an element is never written, or if one is that must not be.
//
// # Judging kernels
//
//	$ conform run -backend simulator -run repeat_tiled
//	...
//	kernel            cases  error/bound  u·Σ|terms|  p99.9       cosine     time  verdict
//	repeat_tiled_f32     57            0           0      0  1.000000000  5.54 ms  pass
//
//	57 cases of 1 kernel, 125512 elements, 33.5 ms: all conform
//
// error/bound, the error ratio, is the largest error of any element as a fraction of its bound: above 1 the kernel has
// broken its promise. The next two are the largest error, and what 99.9 % of the elements do not exceed, in units of
// u·Σ|terms|: the unit roundoff of the output's format times the sum of the magnitudes that an element adds up, or the
// largest exact value of the output where an element is no sum. cosine is the smallest cosine between an output and its
// exact value, and time the sum over all launches (by the GPU's own clock with Metal; how long the simulator takes says
// nothing about a GPU).
//
// There are two bounds. The rigorous one holds for any inputs, and error/bound
// refers to it. Random inputs (the families normal, wide and positive, among others)
// also have to meet a sharper one: 8.3 standard deviations of what independent
// roundings add up to, plus whatever is systematic. They keep the probability of a false
// alarm below 1e-3 over a year of sweeps every night, each of 10⁹ elements. An element
// that breaks only this one is reported as statistical, with both bounds. In a pipeline
// of kernels it applies only to stages that read nothing but such inputs, not to those
// that read what other stages wrote.
//
// Failures come before the table, the worst of each kernel first, each with the
// command that repeats it. This kernel maps neighbouring heads to one key head
// where they should take turns:
//
//	$ conform run -backend simulator -shaders kernels -run seq=3.*input=integers
//	...
//	FAIL repeat_tiled_f32/seq=3/hg=2/h=4/k=33/input=integers: dst[0, 1, 0] = 1, want 2 exactly; 180 of 396 elements differ
//		repeat: conform run -run '^repeat_tiled_f32/seq=3/hg=2/h=4/k=33/input=integers$' -seed 1 -shaders kernels -backend simulator
//	...
//
// With -shaders DIR the kernels come from the .metal files under DIR instead of
// ours. Entry points are found by name; their arguments must have the indices of
// the catalogue. Kernels that DIR lacks are listed as skipped.
//
// -repeat N launches each case N times from the same inputs. If the launches do not
// all give the same bits, the case fails and says where they differ and how many
// different outputs there were.
//
// # Explaining a verdict
//
// conform explain runs one case and accounts for one element, given as out[3, 17] or
// by its number, or for the worst one if none is given:
//
//	$ conform explain -backend simulator rms_norm_bf16_fused_n_tokens/n_tokens=3/dim=257/input=cancelling out[2,17]
//	...
//	contract: f32, precise functions, subnormals may be flushed, square: 256 lanes
//	...
//	  x f32 [n_tokens=3, dim=257], cancelling: 771 elements from -2892 to 2892
//	...
//	  want        2339.3531917892533
//	  in f32      2339.35327, bits 0x451235a7
//	  got         2339.35327, bits 0x451235a7
//	  error       7.97e-05 = 0.326 ulp = 0.0224 of bound
//	  bound       0.00356, of which
//	    0.00300    84.3 %  mean square
//	    2.79e-04    7.8 %  rsqrt
//	    2.79e-04    7.8 %  products
//	...
//	  sum square, 256 lanes: number 2 of 0…2, shared by 257 elements of out, in the bound with 0.00272 = 76.5 %
//	    257 terms p, Σ|p| = 2.78e+08; partial sums s of 256 lanes and of their sum, Σ|s| = 3.96e+10; in all 278130356, known to within 647
//	    lane 0, term 0        p = 949909.952       s = 949909.952
//	    lane 0, term 256      p = 446878.704       s = 1396788.66
//	...
//	  next below  2339.35303, bits 0x451235a6: error -1.64e-04 = -0.674 ulp = 0.0462 of bound
//	  next above  2339.35327, bits 0x451235a7: error 7.97e-05 = 0.326 ulp = 0.0224 of bound
//	  conforms
//	...
//
// want is the exact value; next below and next above are its neighbours in the
// output's format. A sum has the name and the order that the contract gives it, and
// its share of the bound is what would be gone if it did not round; its terms and
// partial sums are those of float64. Each input is shown with the part of it that
// shares the element's indices on axes of the same name.
//
// In a pipeline of kernels an element belongs to a stage, or to an invariant between
// buffers, whose name stands in front of it, as in failures and with -v; the name and
// a colon alone mean the worst element there. A stage is judged by its own kernel's
// oracle on what the stages before it wrote. In an invariant, want is what a buffer
// is compared with, and the bound is made of those of the stages:
//
//	$ conform explain -backend simulator attention_three_kernels/H=4/Hg=2/D=64/seq_len=37/input=normal "stage 2, attn_softmax_batched: scores[3, 36]"
//	...
//	stage 2, attn_softmax_batched: Softmax of the first positions of each row of scores, in place.
//	...
//	  scores f32 [H=4, 37], as of stage 1, attn_scores_batched: 148 elements from -1.99 to 2.22
//	...
//	  want        0.0048816453159181601
//	...
//	$ conform explain -backend simulator attention_three_kernels/H=4/Hg=2/D=64/seq_len=37/input=normal "end to end: out[1, 47]"
//	...
//	compared
//	  out f32 [H=4, D=64], as of stage 3, attn_values_batched: 256 elements from -0.543 to 0.701
//	...
//	  error       1.44e-07 = 4.82 ulp = 0.00547 of bound
//	  bound       2.63e-05, of which
//	    2.15e-05   81.7 %  scores
//	    2.57e-06    9.8 %  softmax
//	    2.22e-06    8.5 %  values
//	...
//
// -json prints one object: the members of a case in results.jsonl except its outputs;
// doc, contract, stage (name, kernel, doc; want is the buffer that an invariant
// compares with), scalars and inputs; and, if anything was judged, element: output,
// type, index, reads, want, rounded and got with their bits, error, ulp, error_ratio,
// bound (value, and terms with label and value), rule (what conforms, where no bound
// decides), statistical (a bound, with error_ratio and whether it gates), sums,
// neighbours, conforms and the check that it fails.
//
// # Declarations
//
// Other people's kernels may promise something different from the catalogue's, or
// have known faults. Both are declared in a file conform.toml beside the shaders of
// DIR, or in the one that -config names. Here one thread adds up a row that the
// catalogue's kernel adds up in 256 lanes, and its result would break their bound:
//
//	$ conform run -backend simulator -shaders ordered -run rms_norm_sum_sq/dim=5120/input=normal -today 2027-03-01
//	...
//	rms_norm_sum_sq      1       0.0126        31.9   31.9  1.000000000  275 µs  pass
//
//	note rms_norm_sum_sq: contract of rms_norm_sum_sq: f32, precise functions, subnormals may be flushed, square: sequential (ordered/conform.toml:4, until 2027-03-01: one thread adds the row) (1 case)
//	...
//
// Every failure of a value that such an entry would cure prints the entry, ready to be
// pasted, with what the error would be of the bound that it gives; what none would cure
// says so. To find out, the same outputs are judged again under contracts that allow
// more: the change that leaves the sharpest bound is printed. It is a question to the
// author, who alone knows whether the kernel means to do that or has a fault:
//
//	$ conform run -backend simulator -shaders ordered -config ordered/none.toml -run rms_norm_sum_sq/dim=5120/input=normal -today 2026-12-01
//	...
//	FAIL rms_norm_sum_sq/dim=5120/input=normal: sum_sq[0] = 5041.77002, want 5041.76044: error 2.01 x statistical bound, 0.647 x rigorous bound
//	...
//		if that is what the kernel is meant to do, declare it in conform.toml: the error is then 0.093 of the bound
//			[[contract]]
//			kernel = "rms_norm_sum_sq"
//			sums = { square = "any order" }
//			reason = "say why"
//			expires = 2027-03-01
//	...
//
// The file has eight kinds of entries, and may begin with the names of kernels that have to
// be judged (see Gates) and a policy (see Comparing runs):
//
//	require = ["rms_norm_.*", "moe_layer"] # kernels and pipelines; or "all"
//
//	[[contract]]                           # instead of the catalogue's, for one kernel
//	kernel = "rms_norm_sum_sq"
//	sums = { square = "sequential" }       # orders, by the names that the catalogue gives the sums
//	forms = { division = "quotient" }      # how operations are computed; see below
//	functions = "precise"                  # or fast
//	accumulators = "f32"                   # or f16 or bf16: of sums, and of the terms that they take
//	intermediates = "f32"                  # or f16 or bf16: of other results on the way to an output
//	subnormals = "kept"                    # or flushed, which also allows keeping them
//	reason = "one thread adds the row"
//	expires = 2027-03-01
//
//	[[table]]                              # of the program, in place of the catalogue's
//	name = "CODEBOOK_4BIT"                 # in the catalogue
//	constant = "turbo::levels4"            # in the program; the same if left out
//	kernel = "tq_dequantize_kv"            # a regular expression for the whole name; any kernel if left out
//	reason = "levels that our encoder has always used"
//	expires = 2027-03-01
//
//	[[absent]]                             # kernels that DIR lacks: nothing asks for them
//	kernel = "mla_.*"                      # a regular expression for the whole name
//	reason = "no model of ours needs them"
//	expires = 2027-03-01
//
//	[[exclude]]                            # files of DIR that are not compiled
//	file = "preview/.*"                    # a regular expression for the whole name
//	reason = "draws the user interface, with textures"
//	expires = 2027-03-01
//
//	[[compile]]                            # how files of DIR are built: no exception, without expiry
//	file = "gemm/.*"                       # a regular expression for the whole name
//	std = "3.2"                            # the language version
//	include = ["include"]                  # directories in DIR, where includes are looked up too
//	prelude = ["common.h"]                 # files of DIR that go ahead
//	define = ["FAST", "WIDTH=4"]           # macros; undefine = [...] removes some
//	constants = { wide = true }            # values of function constants
//	instances = { gemm_half = "gemm<half, 64>" } # instances of kernel templates, by host name
//	matrix = { TILE = [16, 32] }           # of macros: each combination is a variant of the file
//	constant_matrix = { slow = [false, true] } # of function constants: likewise
//
//	[[expect]]                             # cases that fail this check, and no other
//	case = "moe_softmax_topk/.*/input=nan_.*" # a regular expression for the whole name
//	check = "nonfinite"
//	reason = "max drops a NaN until the next release"
//	expires = 2027-03-01
//
//	[[waive]]                              # errors up to factor times a bound
//	case = "sigmoid_gate/dim=260/input=wide"
//	output = "x_out"                       # any output if left out
//	element = [17]                         # any element if left out
//	factor = 2.5
//	reason = "table with 64 entries, new one under way"
//	expires = 2027-03-01
//
//	[[accuracies]]                         # of the functions of a GPU: see Devices
//	file = "m3.jsonl"                      # of conform intrinsics -exhaustive -json, beside this one
//	reason = "the Mac that our nights run on"
//	expires = 2027-03-01
//
// An order is written as conform explain shows it: any order, sequential, sequential
// by 8 (eight at a time in unspecified order, as simdgroup matrices add), 256 lanes
// (that stride over the terms; then simdgroups of 32, then their sums), 256 lanes by
// blocks of 4, followed by any of ", 2 at a time", ", simdgroups of 16",
// ", without simdgroups" and ", then a tree".
//
// A case of a kernel in a file with a matrix is judged once for each variant, and its name
// ends with that: rms_norm/dim=257/input=normal/TILE=16,slow=true. What several
// [[compile]] tables say of a file adds up, but of matrices the last counts. The flags of
// a compiler, -std, -I, -D, -U, -include, -prelude, -instantiate, -name and -constant of
// conform run, mutate and the other commands that take -shaders, come after them, and
// say the same of every file. conform check builds the files of a directory in all their
// variants, too.
//
// An operation that the field computes in two forms has the same contract in every
// kernel that has it. Of these names the second form allows the first too, and a star
// marks what every kernel may do that declares nothing:
//
//	division     quotient, reciprocal*     x·(1/y) for x/y
//	exponential  exp, exp2*                2^(x·log₂e) for e^x, and log₂x·ln 2 for ln x
//	root         rsqrt, sqrt*              a square root and a division for 1/√x
//	sigmoid      exp*, tanh                (1 + tanh(x/2))/2, which loses the tail
//	softplus     log1p*, log               ln(1 + e^x), which loses the tail
//	carry        merged, accumulated*      terms added to the carried sum, not apart
//	products     as written, regrouped*    factors in any order, sums multiplied out
//	softmax      two passes*, online       a running maximum
//
// Instead of factor, skip = true leaves a
// case out, such as one that hangs a device. In cases of pipelines, stage = "end to end",
// or another regular expression, limits an entry to the stages and invariants with such
// names; a pipeline goes on after a failure that is waived, and stops at any other.
//
// A kernel with a codebook is judged by the catalogue's numbers, which have the least
// mean squared error; a constant of the program that has the table's name and other
// numbers fails, at its line. A declared table is taken from the program instead. What it
// is worth is a note; if its mean squared error is more than 1 % above the least
// possible one, or if it does not ascend or is not symmetric, that is a warning.
// Warnings do not fail a run, and -q does not hide them.
//
// What fails as expected has the verdict expected; what exceeds a bound by no more
// than the factor has the verdict waived; neither fails the run. Every entry needs a
// reason and the last day on which it holds, at most a year ahead. An entry fails the
// run if it has expired, or if nothing would change without it. A case that conforms
// although it is expected to fail is reported at once; a contract that is the
// catalogue's own, a waiver that no case needs, or an entry about kernels that DIR
// lacks, once all cases that it could apply to have been judged; an absent entry about a
// kernel that is there, and an exclude entry about files that would do no harm, in every
// run. -today sets the date; a later one shows what will have expired by then.
//
// # Gates
//
// A run fails not only by its cases. Every .metal file of DIR is compiled, whatever -run
// selects, and one that does not compile fails the run once, at its position; cases of
// kernels in it are skipped. A run that judges nothing, because all its cases are skipped
// or waived, fails too.
//
// -require REGEX, -require all or -require FILE names kernels and pipelines that have to
// be judged: by the whole name, or in a file that has a name a line and comments behind
// #. One of them that is absent, has another name, or is left out by -run, fails the run:
//
//	$ conform run -backend simulator -shaders kernels -run repeat_tiled.*input=zeros -require repeat_.*
//	...
//	FAIL repeat_block_f32: not judged, and -require 'repeat_.*' asks for it: absent: no file exports a kernel of that name
//		if it is meant to be gone, declare that in conform.toml:
//			[[absent]]
//			kernel = "repeat_block_f32"
//			reason = "say why"
//	...
//
// So does require in conform.toml, except that -run may leave out what DIR has: a command
// that repeats a case asks for no other. With -baseline RESULTS, an earlier run, each
// kernel that was judged there has to be judged again, and it is said what else has
// changed. In both cases an absent entry excuses what DIR lacks, and a waiver with skip
// what the baseline had. A kernel was judged if a case of it was launched and compared, or
// failed.
//
// -new, which needs -baseline, fails only on what that run did not have: cases that did
// not fail there, or by other checks, and what is new of the rest. What failed there in the
// same way has the verdict known. conform report takes -require, -baseline and -new as
// conform run does; the parts of a run are to be joined first, since no part has all
// kernels.
//
// # Metrics
//
// -v prints every case with the metrics of its outputs, which conform run -h lists.
// Apart from the two bounds they decide nothing; they show what kind of error it is:
//
//	$ conform run -backend simulator -run rms_norm_bf16.*n_tokens=3/dim=33/ -v
//	...
//	pass rms_norm_bf16_fused_n_tokens/n_tokens=3/dim=33/input=normal 0.112 of bound, 68.3 µs
//		digest a29b08f75570898f
//		out f32 [3, 33]: 99 elements, 57 misrounded
//	...
//			u·Σ|terms| 2.52 at [0, 21], p99.9 2.52
//			ulp 1.75 at [0, 21], p99.9 1.75, p99 1.75, mean 0.472, bias 0.137, outward 0.0556
//			absolute 3.57e-07 at [2, 0], relative 1.50e-07 at [0, 21]
//			cosine 1.000000000, nmse 3.10e-15, rel. rmse 5.57e-08, snr 145 dB
//			worst n_tokens of 3: cosine 1.000000000 at [0, 0], nmse 5.12e-15 at [2, 0]
//	...
//
// The error is e = got − want, where want is the exact value, not rounded. ulp is e
// in units in the last place of the output's own format at want (at a power of two
// the smaller unit, the one below), and 0 where got is want rounded to nearest; where
// terms cancel it can be any number, while u·Σ|terms| tells how much was lost; bias
// is its mean; outward is the mean with the sign of want taken out, which is below 0
// for a cast that truncates. relative is e/want where want is normal, nmse is
// Σe²/Σwant², and snr is that in decibels. Metrics of a whole tensor are blind to a
// single wrong head or row, so the worst slice of each kind is shown too, with its
// first element. The kinds are the indices of each axis, rows along the last of more
// than two axes, tiles of 8 by 8 elements, and lanes, the elements with the same
// position modulo 32.
//
// -vs-plain compares with the plain implementation, our own kernel on the simulator
// with the reference semantics: it gives the root-mean-square error as a multiple of
// that one's. It is meant for other kernels, other semantics or a GPU.
//
// # Exact execution
//
// With -exact every case is also executed in exact arithmetic: beside each floating value
// the simulator carries what the same instructions give in float64, along the path
// that the f32 values take, and a bound on how far any device that Metal permits may be
// from it. Two questions are then asked of each element beside its bound, and nobody
// has chosen a tolerance for either. formula: is the exact value that of the
// definition, to 2⁻²⁰ of the bound, or to 10⁻¹² of the value where the bound is 0? If not,
// the kernel computes something else, however near that is. rounding: is the value
// no further from the exact one than any device may be? Adversaries are asked the second
// one too, and on a GPU the values are its own. -v shows for each output the largest part of
// both that is used, what any device may be off by as a multiple of the bound, and how many
// elements nothing is known of: they hang on a decision that another device may take
// otherwise, on an overflow, or on bits of a float that are taken for something else. A note
// names the lines.
//
// A branch that rounding decides is tried both ways: what exact arithmetic takes is the
// exact value, and what the other way gives counts as what some device may have. That
// cannot be done where threads act together in the branch, or for the turns of a loop.
//
// A rounding to half or bfloat whose result is read back belongs to what the kernel
// computes; where the definition has none there, it counts as an error. An oracle may give
// values without a budget: then the bound is that of any device. Where that is as large as all values of
// the output, as after thousands of steps of a recurrence, errors are drawn instead, sixteen times over, and the
// bound is one that independent errors of no more than the permitted size exceed as rarely as a contract's
// statistical one. It is labelled likely, and given only if no rounding decides on the way, none to half or
// bfloat is read back, and no bits are taken apart.
//
// Launches take about seven times as long so. -exact dd asks again where the formula is not right in
// float64, with exact values in double-double: 106 bits, though functions such as asin, and what
// atomic operations add up, have those of float64. conform explain -exact shows of one element what
// exact execution knows. In relaxed and fast math e holds for whatever a compiler may make of an
// expression: sums and products in any order, distributed or factored, reciprocals, functions joined;
// nothing is known of what follows from a NaN or an infinity in fast math, and of sums of several
// narrow numbers. Decisions are those of the source where no operation has rounded what they are made on, such
// as floor(6.0f / 3.0f), and where both sides are equal: a device that decides otherwise fails the kernel.
//
// conform blame goes back from one element over all operations that it depends on: how
// sensitive it is to each rounding, what the rounding was, and what it may be on any device.
// It lists the lines of the source by their shares, the bits that differences of inexact
// values cancel there, and for each input the condition number. All of it holds to first
// order:
//
//	$ conform blame rms_norm_apply/dim=257/input=normal 17
//	rms_norm_apply/dim=257/input=normal
//	out[17] f32
//	...
//	   share      bound     actual  operations  bits lost  line
//	 100.0 %   2.55e-08   -3.7e-09           6             norm.metal:86  out[i] = x[i] * rsqrt(sum_sq[0] / float(dim) + eps) * weight[i];
//	...
//	condition by input: a relative error of every element, each for the worse, arrives multiplied by
//	  x                    1
//	...
//
// Where several launches carry a state on, it goes back over all of them, and in a pipeline over the
// stages before that of the element, whose name stands in front of it as in failures.
//
// conform run -exact -blame does that for the worst element of the first case of each kernel and pipeline, and
// the pages of conform report html show the shares beside the source, and beside functions that it calls.
//
// conform shrink makes a case that fails small: it tries smaller axes, then 0 and 1 for elements
// of the inputs, then fewer bits of those that are left, as long as the same check fails for the
// same output or at the same line. It prints the failure, the numbers that matter, and the case
// as a launch file, which -launch writes for conform check -exec -launch, and as Go:
//
//	$ conform shrink -backend simulator -shaders hopeful residual_add/dim=257/input=normal
//	residual_add/dim=257/input=normal
//	fails still as residual_add with dim=1, found in 6 tries:
//	...
//	suite.Sweep{
//		Probes: []suite.Shape{{"dim": 1}},
//	...
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"metalconform/metalrun/isolated"
	"metalconform/metalrun/metal"
)

func main() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory())
		boundGarbage(&garbage{cores: busyCores(os.Args[1:])})
	}
	isolated.Main(metal.New)
	ballast := make([]byte, ballastBytes)
	code := conform(interruptible(os.Stderr), os.Args[1:], os.Stdout, os.Stderr)
	runtime.KeepAlive(ballast)
	os.Exit(code)
}

// interruptible is a context that ends with the first interrupt, or with the signal that machines
// end programs with.
func interruptible(stderr io.Writer) context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // from now on an interrupt ends the program
		fmt.Fprintln(stderr, "\nconform: interrupted, finishing the cases under way; interrupt again to stop at once")
	})
	return ctx
}
