// Conform judges Apple Metal compute kernels against float64 oracles.
//
// Usage:
//
//	conform run [flags]                        judge kernels
//	conform report [flags] RESULTS...          show results, join shards, compare runs
//	conform gate -base REV [flags]             judge what a pull request changes
//	conform compare [flags] BASE HEAD          compare two runs: verdicts, accuracy and times
//	conform history COMMAND                    keep results of many runs, and find where they changed
//	conform serve [flags] RESULTS...           show results in a browser, and follow a run
//	conform explain [flags] CASE [ELEMENT]     show how an element came to its verdict
//	conform bench [flags]                      time kernels
//	conform list [flags]                       show families, kernels and cases
//	conform check [flags] FILE...              look for errors in .metal files
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
// error/bound, the error ratio, is the largest error of any element as a fraction of
// its bound: above 1 the kernel has broken its promise. The next two are the largest
// error, and what 99.9 % of the elements do not exceed, in units of u·Σ|terms|: the unit
// roundoff of the output's format times the sum of the magnitudes that an element adds
// up, or the largest exact value of the output where an element is no sum. cosine is the
// smallest cosine between an output and its exact value, and time the sum over all launches (by the GPU's own clock with
// Metal; how long the simulator takes says nothing about a GPU).
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
//	  error       7.97e-05 = 0.326 ulp = 0.0220 of bound
//	  bound       0.00363, of which
//	    0.00307    84.6 %  mean square
//	    2.79e-04    7.7 %  rsqrt
//	    2.79e-04    7.7 %  products
//	...
//	  sum square, 256 lanes: number 2 of 0…2, shared by 257 elements of out, in the bound with 0.00279 = 76.9 %
//	    257 terms p, Σ|p| = 2.78e+08; partial sums s of 256 lanes and of their sum, Σ|s| = 3.96e+10; in all 278130356, known to within 663
//	    lane 0, term 0        p = 949909.952       s = 949909.952
//	    lane 0, term 256      p = 446878.704       s = 1396788.66
//	...
//	  next below  2339.35303, bits 0x451235a6: error -1.64e-04 = -0.674 ulp = 0.0454 of bound
//	  next above  2339.35327, bits 0x451235a7: error 7.97e-05 = 0.326 ulp = 0.0220 of bound
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
//	  error       1.44e-07 = 4.82 ulp = 0.00533 of bound
//	  bound       2.70e-05, of which
//	    2.21e-05   82.0 %  scores
//	    2.62e-06    9.7 %  softmax
//	    2.22e-06    8.2 %  values
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
//	FAIL rms_norm_sum_sq/dim=5120/input=normal: sum_sq[0] = 5041.77002, want 5041.76044: error 2.01 x statistical bound, 0.646 x rigorous bound
//	...
//		if that is what the kernel is meant to do, declare it in conform.toml: the error is then 0.093 of the bound
//			[[contract]]
//			kernel = "rms_norm_sum_sq"
//			sums = { square = "any order" }
//			reason = "say why"
//			expires = 2027-03-01
//	...
//
// The file has six kinds of entries, and may begin with the names of kernels that have to
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
// An order is written as conform explain shows it: any order, sequential, sequential
// by 8 (eight at a time in unspecified order, as simdgroup matrices add), 256 lanes
// (that stride over the terms; then simdgroups of 32, then their sums), 256 lanes by
// blocks of 4, followed by any of ", 2 at a time", ", simdgroups of 16",
// ", without simdgroups" and ", then a tree".
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
//	pass rms_norm_bf16_fused_n_tokens/n_tokens=3/dim=33/input=normal 0.109 of bound, 68.3 µs
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
// otherwise, on an overflow, or on bits of a float that are taken for something else.
//
// A rounding to half or bfloat whose result is read back belongs to what the kernel
// computes; where the definition has none there, it counts as an error. An oracle may give
// values without a budget: then the bound is that of any device.
//
// Launches take 13 times as long so, and the quick sweep half as much time again.
//
// # Results
//
// With -o DIR every result is written to DIR/results.jsonl as it comes, one JSON
// object per line. An interrupt stops the run after the cases under way; a second
// one stops it at once. Either way the file keeps what there was.
// -json prints the same lines instead of the table. Infinities are written as
// ±1.7976931348623157e308, the largest number. Members of a case that are empty or do
// not apply are left out, except those of the first four lines of its table.
//
// The first line is the header, with all that the verdicts follow from and what
// describes the kernels:
//
//	schema, version                 "conform.results", 2; version 1 is converted, a later
//	                                one is refused
//	conform, commit                 versions of the program and of the kernels: -commit,
//	                                or what CI or the build says
//	started                         when
//	device, host                    backend, name, detail, clock, observes; os, arch, cpus
//	options                         run, sweep, seed, semantics, adversaries, math, checks,
//	                                repeat, and the other flags
//	planned, shard                  cases of the whole run; index, of, cases and costs (a digest)
//	                                of the part
//	root, shaders                   directory; sha256 and text of each file, and diagnostics if
//	                                it does not compile
//	kernels                         for each kernel and pipeline: name, family, doc, pipeline, axes,
//	                                bindings, contract, file, line; lack (reason, near, uncompiled)
//	                                if the shaders do not have it
//	required, absent                kernels that have to be judged: kernel, by, lenient, lack; and
//	                                declared absences: position, reason, expires, kernels
//
// The lines after it are cases:
//
//	case, kernel, family, backend   names; kernel may be that of a pipeline
//	status                          pass, fail, skip, error, expected or waived
//	error_ratio                     error/bound in the table
//	ns, cost_ns, seed, elements     time of all launches, and of the case as a whole;
//	                                elements judged
//	index                           of the case in the run, from 0
//	ulp_secondary                   ulp against a second definition
//	open                            elements about which the contract promises nothing
//	worst                           the element with error_ratio: stage, arg, index
//	relies                          the device's choice that a failure depends on: file,
//	                                line, col, kind
//	digest                          16 digits of the SHA-256 of all that was written
//	distinct                        number of different outputs with -repeat
//	outputs                         how far each output is off; see below
//	contracts, declared             declarations that the case was judged by, and those that
//	                                decided the verdict
//	warnings, notes, replay         sentences, and the command that repeats the case
//	reason, stopped_at, waiver      why it was not judged: what the compiler, the host or
//	                                the device said, at which stage of a pipeline; or the
//	                                waiver (position, reason, expires)
//	uncompiled                      the file that has the kernel and does not compile
//	failures                        one for each check that failed; see below
//	findings                        what only warns, and fails a strict run, like failures
//
// The last line has ended, the number of cases, elapsed_ns and stale, the
// declarations that have expired or are not needed. A run that was killed or
// interrupted lacks it. Two runs of the same thing differ only in started, ns, cost_ns
// and elapsed_ns.
//
// A failure is a set of facts, from which every report makes its own sentence: check,
// the stage or the invariant of a pipeline, adversary, the number of the one that it
// fails on, and grade, undefined where no trial changed a result. About an element: arg, type, extents,
// index, got and want (exact; "NaN", "+Inf" and "-Inf" are strings), got_bits and
// want_bits where the bits decide, quiet if any quiet NaN is right, error, error_ratio,
// bound and statistical (each with value, and terms with label and value), count, of,
// first, and same for two buffers that should be the same. remedy (kernel, contract with
// key, name and value of each setting or table with name and constant, error_ratio,
// expires, and instead, the entry that it replaces) is the declaration that would cure it,
// no_remedy says that there is none. About determinism: repeat (run, runs, distinct). About a write outside a buffer: outside (bytes, before). About
// what a launch or the front end found: kernel, text, at and other (each with file,
// line, col, does, thread and threadgroup). About a declaration that did not hold:
// expected (check, stage, conforms, position, reason, expires).
//
// An output has stage (in a pipeline), output, type, extents, elements (how many were
// measured, being finite and bounded by the contract), and metrics: values by the keys
// that conform run -h lists, each a number, or {"value": x, "at": index} if it is that
// of one element. A metric that does not apply, or a count of 0, is left out. slices
// has for each kind by, of (how many there are), and the metrics of the worst part,
// at its first element.
//
// errors says how an output's errors are distributed, each as a fraction r of its bound:
// elements, sum (of r), outward (of r with the sign of want taken out), squares (of r), and
// bins, which count as those of histogram do, in units of 2^-20 of the bound. Results of
// an earlier version lack it.
//
// histogram counts elements by their signed error in units in the last place: bin 0
// is for no error, bin k for errors in [2^(k-4), 2^(k-3)), where bin 1 begins at 0 and
// bin 24 has no end, and bin -k for negative ones. map is there if an element fails or
// has an error above half its bound: the error as a fraction of the bound over the
// output, in at most 64 rows and 64 columns of cells. Columns are the last axis. block
// is the number of rows and columns of the output in a cell, both powers of two, and
// groups is the number of rows of cells that belong to one index of the outermost axes,
// such as a head. cells has one digit of base 64 per cell for its largest error, row by
// row: 0 if nothing was judged there, 1 for no error, and v for up to 2^((v-42)/4) of
// the bound, so anything above 42 (q) fails. lanes and tile are the same over the
// element's number modulo 32, and over row and column modulo 8.
//
// # Reports
//
// conform report shows results again, or writes them in a form for other programs:
//
//	$ conform report after -baseline before
//	3 cases of 1 kernel, 1188 elements, 15.0 ms: 3 FAIL
//	simulator: conform simulator (linux/amd64, reference semantics, launches checked); linux/amd64, AMD EPYC
//	quick sweep, seed 1, cases with ^repeat_tiled_f32/seq=3/hg=2/h=4/k=33/input=(normal|integers|zeros)$, -shaders kernels -backend simulator, commit 4f2a9c1
//	...
//	against the baseline, commit 0d81e77
//	new failures: 3
//		repeat_tiled_f32/seq=3/hg=2/h=4/k=33/input=normal: fail, was pass; ∞ of bound, was 0
//	...
//	kernel            cases  error/bound  u·Σ|terms|  p99.9       cosine    time  verdict
//	repeat_tiled_f32      3            ∞           -      -  0.486928104  666 µs  FAIL
//
// -format is text, markdown (a summary of at most -limit bytes, the worst first,
// that says what it cut), junit, github (annotations beside the lines of shaders),
// csv, bench (times and metrics for benchstat; each time is that of a single run),
// json (results.jsonl of all parts together) or html. conform run -report FORMAT=FILE
// writes the same, except html, at the end of a run; it can be given several times:
//
//	conform run -report github=- -report markdown="$GITHUB_STEP_SUMMARY" -report junit=junit.xml
//
// html is a directory of pages for a browser; index.html is the first. They need no
// server, no network and no script: the verdict, the worst failures and what has
// changed; then the kernels, their sources with findings beside the lines; and for
// each case that fails the element, its bound and a map of the errors. -plots DIR
// writes the plots of the pages as files.
//
// conform serve shows the same pages on this machine, and follows a run in progress:
//
//	conform run -sweep full -o out & conform serve out
//
// -baseline RESULTS adds what has changed, as conform compare finds it, and -history FILE
// adds a page of trends to html.
//
// conform run -shard 2/8 judges the second of eight parts, into which cases are
// dealt in turn, or with -costs RESULTS by what they took in an earlier run, which makes
// parts of even length. conform report joins them, in any order, to the same bytes as if
// one process had judged everything. A part that was killed or came late may be there
// again: the first file that is whole counts. It is an error if a part is missing, or
// if parts disagree about anything but times and the machine's processor. So is a
// damaged line: it is named, and -partial shows the rest and what was left out. A
// part reports a declaration as not needed only if it has all cases that the
// declaration could apply to.
//
// Without -shard the variables that engines set say which part it is: those of Bazel,
// Slurm's job arrays, Kubernetes' indexed Jobs (with CONFORM_SHARD_TOTAL), Buildkite,
// GitLab, CircleCI and AWS Batch. Any other sets CONFORM_SHARD_INDEX, from 0 on, and
// CONFORM_SHARD_TOTAL, as in a matrix of GitHub's:
//
//	env:
//	  CONFORM_SHARD_INDEX: ${{ strategy.job-index }}
//	  CONFORM_SHARD_TOTAL: ${{ strategy.job-total }}
//
// conform mutate takes the same, and conform mutate -resume joins the logs of parts.
//
// -sweep full adds the shapes of real models and every family of inputs at every
// shape. -seed N draws other inputs; -seed random draws the number too, and shows it.
//
// # Comparing runs
//
// conform compare says what the results HEAD change against BASE:
//
//	$ conform compare precise truncated
//	base simulator: conform simulator (linux/amd64, reference semantics, launches checked); linux/amd64, AMD EPYC; quick sweep, seed 1, cases with ^sigmoid_gate/.*input=normal$, -shaders kernels -backend simulator, commit 0d81e77
//	head simulator: conform simulator (linux/amd64, reference semantics, launches checked); linux/amd64, AMD EPYC; quick sweep, seed 1, cases with ^sigmoid_gate/.*input=normal$, -shaders kernels -backend simulator, commit 4f2a9c1
//
//	less accurate: 1
//		sigmoid_gate: error × 1.62, typically from 0.0980 to 0.162 of bound (95 %: × 1.53 to 1.67; p 9.16e-05); part toward zero from -0.00821 to 0.764
//	verdicts: 1 unchanged
//	accuracy: 1 regressed
//	...
//	REGRESSED: accuracy of sigmoid_gate
//
// All cases still pass, but their results are now truncated. There is a row for the
// verdicts of each kernel, for its accuracy, and for the times of each case that
// conform bench -o has timed in both directories; every row is improved, regressed,
// unchanged or inconclusive.
//
// The accuracy of a kernel is how its errors are distributed below their bounds, in the
// cases that passed in both runs. A case counts as one sample, since its elements share
// inputs and sums, and is compared with itself: by the root mean square of its errors as
// fractions of their bounds, by the part of them that is systematic (bias), and by the part
// that is toward zero (inward). Whether the differences lean to one side is Wilcoxon's
// signed-rank test. Headroom, what the worst error leaves of its bound, is compared only if
// both runs drew the same inputs. Equal bits are unchanged without a test.
//
// Times are compared by the test of Mann and Whitney, and by the median of all their
// ratios. Those of different devices or settings are not compared, and those of a
// simulator or a virtual GPU fail nothing.
//
// The chances p of all these tests are adjusted by Holm's method, so that all rows together
// call anything a change wrongly with a chance of at most alpha. A change counts if its p is
// below alpha and it is large enough; it does not if its 95 % interval holds nothing that
// is. In any other case the row is inconclusive, and says how many cases or samples more
// would tell, about four times out of five.
//
// What is large enough, and what fails, is in the table [policy] of conform.toml, beside the
// shaders of HEAD or where -config says. These are the defaults:
//
//	[policy]
//	fail = ["verdicts", "accuracy", "times"] # what may not regress; -fail
//	alpha = 0.05
//	error = 0.1                              # growth of errors by a tenth; -least-error in percent
//	bias = 0.1                               # of the systematic part and of that toward zero, of 1
//	headroom = 0.5                           # half of what is left to the bound is lost
//	time = 0.05                              # -least-time in percent
//	families = {}                            # instead of time, such as { attention = 0.03 }
//
// -format is text, markdown, json or html, where the page of changes is compare.html among
// the pages of HEAD. The JSON has schema ("conform.comparison"), version, base and head
// (commit, started, device, host, options), differs, apart (settings of times), policy,
// correction, tests, regressions (rows that fail), new, fixed and other (case, was, is, by),
// added, removed, lost and rows: aspect, name, family, verdict, samples (of base and head),
// measures (of, base, head, change, low, high, p, verdict; change is a factor of error and
// time, and otherwise a difference), more and why.
//
// # History
//
// conform history keeps what runs measured in one file, an SQLite database:
//
//	conform run -o out && conform bench -count 5 -o out && conform history add nights.db out
//	conform history list nights.db
//	conform history show nights.db 4f2a9c1
//	conform history trend nights.db
//	conform report out -format html -o site -history nights.db
//
// A run is known by its commit, device, system, options, shaders and start, and is added
// once. Adding is all or nothing. A file that is damaged, or that a later conform wrote, is
// refused.
//
// conform history trend finds steps, for each device, system and set of options by itself,
// over the last 30 runs (-last), and names the commits that each lies between. Verdicts step
// where cases begin to fail, or no longer do, for more than one run. Errors step by kernel,
// in the measures of conform compare, over the cases that passed in all runs; times step by
// case where conform bench took them, and by kernel in the launches of the runs, on runs
// with the settings or processors of the newest. How large a step has to be is in the
// policy (-config, -least-error, -least-time).
//
// Where all runs are of a simulator and one seed, errors have no noise, and every change
// that is large enough is a step. Otherwise the samples before and after a step must differ
// more than they do in all but few of their own orders: without a step each order is as
// likely as any other, so that a series without one shows one on any of its curves with a
// chance of at most 1 %, whatever the noise. The output says how many runs it takes after a
// step until it can be seen. The exit status is 1 if a step for the worse lasts to the
// newest run, in what -fail or the policy names.
//
// # Pull requests
//
// conform gate -base REV judges what has changed since a commit: kernels whose file, or one
// that it includes, is another, and the pipelines that they are part of; everything if
// conform.toml is. Both states are judged, the one of the commit from git, and compared as
// conform compare does:
//
//	conform gate -base origin/main -shaders kernels -comment comment.md -github
//
// The gate is closed by a failure that the commit did not have, by what regresses and the
// policy names, by a kernel that is not judged any more or that is required and not there,
// by a file that does not compile, and by a declaration that has expired. A failure that
// the commit had too keeps it open. -comment writes Markdown whose first line,
// <!-- conform gate -->, lets a later run find the comment and replace it; -github prints
// annotations at the changed lines. If the gate is open, -mutants small edits of the
// changed kernels are judged, and those that the sweep does not catch are listed; -min
// PERCENT closes the gate if fewer are caught. It reads git's history: a checkout needs
// all of it back to the commit, such as actions/checkout has with fetch-depth: 0.
//
// # Backends
//
// -backend auto takes Metal where there is a device, and otherwise the simulator,
// which executes the same source on any machine; the first line of the output
// says which it is. -backend metal insists on a device. With -portable the simulator
// uses plain loops instead of vector instructions: the results are the same to the
// last bit. Metal permits a device to round toward zero; bounds are for rounding to
// nearest, and a device that does otherwise is refused (exit status 3).
//
// Where Metal leaves a choice to the device, the simulator judges each case on three
// devices, and the case fails if it fails on any. The first has the reference
// semantics: it rounds every function correctly, fuses nothing, keeps subnormals and
// adds up in ascending order. All figures and checks are of this one. The other two are
// adversaries, drawn from the seed, which make every choice against the kernel:
// results of functions as far off as the specification allows, fast functions by the
// formulas that it has for them (fast tanh is NaN from 44.4 on), fast quotients, fused
// and unfused expressions, orders of simdgroup and matrix sums, subnormals, integers
// made of floats beyond their range, values of inactive lanes, memory that nobody has
// written. They
// are a pair: what one fuses or flushes the other does not, and a function that one
// displaces to one side the other displaces to either side. A kernel that leaves no
// such choice is not launched again. -adversaries N takes another number of them, and 0
// none.
//
// -semantics judges on one device alone: reference, apple, which does what others have
// measured on Apple's GPUs and published, or adversarial-N, the adversary of that
// number. A case that passes only on a friendly device says what it relies on:
//
//	$ conform run -check=false -shaders hopeful -run ^residual_add/dim=257/input=normal
//	...
//	FAIL residual_add/dim=257/input=normal: out[237] = 0, want -3.83654308 exactly; 257 of 257 elements differ, the first out[0]
//	...
//		on adversary 1 only: relies on unspecified behaviour, and fails once the device takes the choice at k.metal:6:36: integer of a float out of its range
//	...
//
// -math fast lets unqualified names of f32 functions mean the fast ones, and / fast
// division, within bounds that allow for their accuracy.
//
// # Checks
//
// A kernel can give the right numbers on one device and still be wrong. So the
// simulator watches every launch, unless -check=false says otherwise:
//
//	$ conform run -backend simulator -shaders racy -run rms_norm_sum_sq/dim=1009/input=normal
//	...
//	FAIL rms_norm_sum_sq/dim=1009/input=normal: k.metal:19:21: race: read and write of bytes 4 to 7 of threadgroup "partial" (k.metal:6:3) by two simdgroups are not ordered; a threadgroup_barrier with mem_flags::mem_threadgroup between them would order them (the one at k.metal:15:3 does not name threadgroup memory)
//		in rms_norm_sum_sq, read at k.metal:19:21 by thread (0,0,0) of threadgroup (0,0,0)
//		write at k.metal:13:24 by thread (32,0,0) of threadgroup (0,0,0)
//	...
//
// There are four checks. race: two threads access the same memory, at least one of
// them writes, and no barrier that names this memory lies between; only atomics order
// threadgroups, and a store to a component may write the whole vector. uninitialised:
// what nobody has written reaches an output or a branch. inactive: a value read from
// an inactive lane does so. undefined: an integer division by zero, an integer made
// of a float beyond its range, or a broadcast or shuffle whose lane does not exist or
// should be the same in all threads and is not, does so. Whether an unspecified value reaches an output
// is found by running the launch again with another value in its place: one that is
// discarded does not count. Threads that return before a barrier are a note, since
// Apple's GPUs go on without them.
//
// A finding has a grade. It is wrong if a result changes when the launch runs again as
// Metal allows it: races with simdgroups one by one, in an order and in the opposite one,
// and with stores that others see as late as barriers permit, then thread by thread if
// none of that shows anything; unspecified values with three others in their place. It is undefined if none of that changes a
// result, such as a value that is read while it is written and then not used, the same
// value written by all, or a barrier of the wrong memory where threads only have to wait
// for each other: then it warns, or fails with -strict, and our own kernels always fail.
// Each finding lists what was tried. In kernels whose atomics tell in which order threads
// come to them, orders are not tried; the parts of a launch that are too large to run
// thread by thread run simdgroup by simdgroup.
//
// Five things stop a launch, watched or not: an
// access out of range, a misaligned one, a barrier that some threads do not reach, a
// matrix operation by part of a simdgroup, and a loop without end.
//
// A call of a fast function, or of an elementary function of half, under a contract of
// precise f32 functions is named at its line, wherever the kernel reaches it, though no
// input shows it (check functions). That warns, or fails with -strict, or if conform.toml
// begins with strict = true; our own kernels are always judged so. conform report -strict
// shows what a strict run would have come to. A declared contract of fast functions
// allows for the call.
//
// Threads that write the same value to the same location race too, unless -same-value
// allows it. Metal defines shifts by any count, so no check is about them.
//
// -schedule N runs the simdgroups of a threadgroup one after another between
// barriers, in orders drawn from the seed N, and watches nothing: it shows what a
// race does to the numbers.
//
// # Judging on another machine
//
// conform run -record DIR keeps what launches were given and what they wrote, up to 3 MiB
// of each kernel: a file for each launch, as safetensors in gzip. conform run -replay DIR
// judges these outputs again wherever there are the same sources and the same cases, by
// the oracles, and ends with a table by element: of each kernel's closest case the element
// that used most of its bound, as the oracle, the simulator and the recorded device have
// it, and how many elements are not the same bits on both. Launches that are not recorded
// are skipped. A recording knows a launch by its source, options, geometry and every byte
// that it was given, so that it never answers for another one.
//
// # Timing kernels
//
// conform bench takes from each selected kernel the case that moves the most bytes,
// or with -all every case, and prints rows that benchstat reads:
//
//	$ conform bench -backend simulator -run repeat_tiled -cpu 1 -limit 100ms
//	...
//	backend: simulator (wall time on CPU)
//	...
//	BenchmarkConform/repeat_tiled_f32/seq=3/hg=16/h=48/k=128/input=normal 69 1.3874e+06 ns/op 75.273 ns/elem 7.0853e+07 B/s
//	...
//
// After the name come the number of samples, each a run with all its launches, and
// their median as ns/op. The rates are about the definition, not about what the
// kernel did for it: B/s counts once each byte that has to be read or written, op/s
// the additions, multiplications, divisions and functions of the mathematics, and
// ns/elem the elements written. Metal's times are by the GPU's clock. The simulator's
// are wall time: they say what judging costs and can compare two simulators, but not
// two kernels on a GPU.
//
// A case is judged before its first sample and after its last. One that does not
// conform gets no row, and its failure goes to standard error. Samples count from when
// they have become steady. They are taken until the 95 % interval of the median lies
// within 2 % of it (-confidence, -within), or for two seconds (-limit), in which case a
// line beginning with # says so.
//
// With Metal the buffers stay on the device, and a sample is the difference between n
// and 2n launches in one command buffer, divided by n: what a submission costs by itself
// is no part of it. With -cold a copy of 64 MiB evicts the caches before each command
// buffer, and every launch in it has buffers of its own. On the simulator a sample is
// one run, from the same buffers; with -cold the host writes 64 MiB in between. Rows of
// Metal say how hot the system was and whether it saved power; benchstat keeps apart
// what was measured in another condition or by another clock. -count 10 prints the ten
// rows that benchstat needs to compare two files: benchstat -col commit old new, or -col
// loops if one of them was made with -portable.
//
// -scaling times alternatives for the same work as one axis grows and the others stay:
// delta-net token by token and in chunks, attention with heads in blocks and in tiles,
// three versions of a product. The kernels of one size take turns, there and back, so
// that a clock that drifts touches all alike. -roof times a copy and multiply-adds too,
// and -plots draws all that, with the sizes at which one alternative overtakes another.
// On the simulator the same plots show its own time, and say so.
//
// # What a pass is worth
//
// conform mutate edits kernels as a slip of the pen would, one place at a time, and
// judges each of these mutants by the cases of the kernels that the edit can affect.
// The survivors show what the sweep and the bounds do not see. This kernel has one
// condition too many:
//
//	$ conform mutate -shaders guarded residual_add
//	quick sweep, seed 1, rule verdict, 18 mutants
//
//	score 94.4 %: 17 of 18 mutants killed, 1 survived
//		beside them 0 equivalent, 0 duplicate, 0 invalid; 18 in all
//		killed by fault 10, unwritten 4, exact 3
//	...
//	survived k.metal:8:13/comparison/1, comparison in residual_add
//		-    if (dim > 0 && i < dim) {
//		+    if (dim >= 0 && i < dim) {
//
// The edits are made in the syntax tree: in the kernel and in every function and
// constant that it uses. -list names the mutants, and -source prints one as a single
// file with macros expanded, so that it can be run elsewhere. Positions in messages
// about a mutant refer to that text. A mutant counts once, however many kernels use
// the edited code, and survives only if all of them conform with it: in every case
// that the original passes, on a simulator that checks launches in one case of each
// shape, with -adversaries N on the first N adversaries of the seed, and in the pipelines that
// launch one of them. Mutants of a function that several kernels share have a row of
// their own and belong to no kernel's score. A table that the
// catalogue has too is not edited: its numbers are compared one by one.
//
// The score is the share killed of the mutants that are launched and compute something
// else. Three kinds do not count. Invalid ones are refused by the front end or cannot
// be launched. Equivalent ones have, in a form that ignores registers and the order of
// pure computations, the code of the original (identical), or have it with operands of
// commutative operations exchanged (commuted), with an unsigned x > 0 for x != 0
// (unsigned), or with an array that is larger than needed (roomier). Duplicates are the
// same as an earlier mutant by one of the first three. A mutant that takes 64 times the
// steps of the original is killed as a runaway.
//
// With -rule cosine a mutant is killed only by a cosine below 0.9999, or by a launch
// that ends in a fault; a GPU need not report those, so the rule gets the benefit of
// the doubt. With -rule cosine-gpu faults kill only if the steps run out, outputs
// begin as zeros, and a kilobyte of zeros lies behind each buffer. -typical judges by
// one case of each kernel, with even sizes and its first family of inputs, as many
// projects test.
//
// -json FILE writes a header and a line per mutant: id, key, family, file, function,
// kernels, operator, line, col, change, diff, fate (killed, survived, equivalent,
// duplicate, invalid, or broken, which is a fault of ours), proof, of (the earlier
// one), digest, check, device, case, cases, and failure (as in results.jsonl) or the
// reason why it is invalid or broken. The lines do not depend on the number of
// processors (-parallel), and -resume FILE goes on where an interrupt left off.
// -sample N judges N mutants drawn from the seed, for a quick figure with its interval.
// -min PERCENT fails below a score.
//
// An id says where an edit is; a key says what it does, and outlives changes
// elsewhere. Survivor annotations explain survivors by their keys. -annotations FILE,
// or all .txt files of a directory, compares them with the survivors, and fails if one
// has no annotation, or if one that has does not survive:
//
//	equivalent: nothing launches the kernel with dim = 0
//		k.metal residual_add comparison: if (dim «> → >=» 0 && i < dim) {
//	undetected: no case has as many elements as 32 bits can count
//		...
//
// Those annotated as equivalent do not count in the score.
//
// # What there is to judge
//
//	$ conform list -cases -run repeat_tiled.*input=zeros
//	repeat_tiled_f32/seq=3/hg=2/h=4/k=33/input=zeros
//	repeat_tiled_f32/seq=2/hg=3/h=9/k=260/input=zeros
//
// Without -cases it lists the kernels with what they compute and the number of
// their cases in each sweep, and below them why one is missing in DIR, what it may have
// been renamed to, and where conform.toml requires it or declares it to be absent. -run takes a regular expression that may match anywhere
// in a name, as in conform run.
//
// # Checking source
//
// conform check reports what Apple's compiler would refuse, and what the
// simulator does not support, in any .metal file:
//
//	$ conform check scale.metal
//	scale.metal: ok, 1 kernel: scale
//	$ conform check broken.metal
//	broken.metal:5:19: x and factor both have index 0 of the buffer table
//	broken.metal:7:10: a pointer needs an address space: device, constant, threadgroup or thread
//	broken.metal:8:5: y is not declared (did you mean i?)
//
// -json prints an object with file, line, col, code and message per diagnostic;
// codes are stable. -std chooses the language version.
//
// With -exec every kernel is also launched on the simulator and watched as in
// conform run: for races, memory that nobody has written, accesses out of range,
// barriers that some threads do not reach, and whatever else Metal leaves undefined.
// Values are not judged. This sum lacks its barriers:
//
//	$ conform check -exec row_sum.metal
//	row_sum.metal:15:28: race: read and write of bytes 512 to 515 of threadgroup "part" (row_sum.metal:8:5) by two simdgroups are not ordered; a threadgroup_barrier with mem_flags::mem_threadgroup between them would order them
//		in row_sum, read at row_sum.metal:15:28 by thread (0,0,0) of threadgroup (0,0,0)
//		write at row_sum.metal:12:13 by thread (128,0,0) of threadgroup (0,0,0)
//		wrong: with simdgroups one by one in a drawn order, sum[0] is NaN instead of 67.187805
//		wrong: with simdgroups one by one in the opposite order, sum[0] is NaN instead of 67.187805
//		no result changes with stores that other simdgroups see only after a barrier that orders them
//		guessed (state what is otherwise): -grid 1 -threads 256 -elements 1048576 -arg n=64 -range 0.5,1.5 -seed 1
//	...
//
// A kernel with the name and the arguments of one in the catalogue gets three of its
// cases. For any other, what the source does not say is guessed, and every finding
// shows the guesses behind it as flags, since a wrong guess may be its cause:
//
//	-arg n=64            each integer scalar, member of a struct and integer in constant
//	                     memory is 64 (-size), each float 1, each bool true; NAME.MEMBER and
//	                     NAME[INDEX] name parts of an argument
//	-arg x=4096          buffers have 1048576 elements (-elements), or the square of the
//	                     largest integer stated if that is more, and 64 MiB at most
//	-output y            a buffer that the kernel can write holds data before a launch,
//	                     since it may be read first; one named here holds nothing
//	-local 0=4096        arguments in threadgroup memory share its 32 KiB
//	-constant tile=32    function constants have values as scalars do, unless the source
//	                     asks is_function_constant_defined
//	-grid 4 -threads 256 one threadgroup of 256 threads and then several, along the axes
//	                     whose positions the kernel reads: no host is expected to launch
//	                     threads that cannot be told apart
//	-total 1000          a kernel that reads only its position in the grid is also
//	                     launched with smaller threadgroups at the edge
//	-range 0.5,1.5       random floats; integers in buffers are the numbers below -size in
//	                     random order, over and over, and atomics are 0
//	-seed 1              all that is random is drawn from it
//
// A buffer that is too large hides accesses out of range, so state the sizes of those
// that matter: -arg n=1000 -arg x=1000 exposes a kernel that lacks its bounds check. If
// something is found in threadgroups of 256 threads and nothing in those of 128, 64
// or 32, the kernel may be meant for these, and the finding is a note. Notes do not
// change the exit status, and warnings of what is undefined do with -strict. -run REGEX selects kernels, -v shows all launches.
// -exact adds notes from exact execution to each kernel that is not the catalogue's: how many bits
// of each output rounding can cost on some device, and does here, and the lines where
// rounding decides what is done, values leave the range of float, or bits of a float are
// taken apart. -json
// prints an object per finding or note: source (the file that was given), check,
// kernel, message, file, line, col, does, thread, threadgroup, other (the same for the
// other party), grade, trials (each with what and changes), and launch, with case, or with given and guessed, which are
// lists of flags.
//
// # Devices
//
// conform devices shows what each device of this machine has and does: its families and
// limits, which versions of the language and modes of arithmetic compile up to a
// pipeline, which features kernels can use, and, asked by small kernels, how it rounds,
// what becomes of subnormals, whether products are fused with sums, and in which order
// simdgroups and matrix products add:
//
//	$ conform devices -backend simulator -semantics apple
//	simulator: conform simulator
//	...
//	  features         bfloat, quad_shuffle, quad_sum, simd_shuffle, simd_sum, simdgroup_matrix, atomic_float, atomic_ulong
//	...
//	  float subnormals          flushed
//	...
//	  a * b + c                 fused
//	...
//	  simd_sum                  ascending
//	  simdgroup_matrix product  ascending from c, fused
//
// A kernel that needs what a device lacks is skipped there, for that reason. With Metal
// the header of results.jsonl has the same as probe; -json prints one object per device.
//
// conform intrinsics measures the f32 functions, precise and fast, on samples of every
// binade or, with -exhaustive, on all floats: the largest error in units in the last place
// of the exact value, the argument it belongs to, and the error as a share of the limit in
// Metal's specification, where it has one. It fails if a limit does not hold:
//
//	$ conform intrinsics -backend simulator -run precise::sqrt
//	...
//	function       arguments  worst ulp  at               error/limit  at
//	precise::sqrt  8169       0.5        0x1.fffffep-125  1            0x1.fffffep-125
//
// Subnormal arguments and results may count as zero. -v shows the same by the size of the
// argument, and -json prints an object per function, with bits.
//
// # Renamed
//
// These names came with version 2 of results.jsonl and of the log of mutants. Results
// of version 1 are read and converted; a log of mutants of version 1 is refused.
//
//	-vs-plain                       was -relative
//	-annotations                    was -explained
//	error_ratio                     was over
//	ulp_secondary                   was ulp_beside
//	index (of a case)               was place
//	grade (of check -exec -json)    was note
//	cpus, options.repeat            were a string, and one of the flags
//	pipeline, family pipelines      was chain, family chains
//	got, want, worst, relies        were words and are numbers or objects
//	bound, statistical              hold terms; derivation is gone
//	reason, failures                hold what message said, as facts
//	statistical (of explain)        was sharp
//	same, first, part (of reads)    were words
//	step (of a sum's steps)         was place
//	failure, reason (of a mutant)   was message
//
// # Exit status
//
//	0  everything conforms; every file is well-formed, and nothing is found in it
//	1  a kernel does not conform, or could not be judged or timed, or was not judged and
//	   has to be; a file has errors, or something is found when it is launched; nothing was
//	   judged; a declaration has expired or is not needed; a mutation score is below -min,
//	   or annotations are out of step; something regressed that the policy names
//	2  a mistake on the command line, or a file named there that cannot be read
//	3  no such device, or the run could not be completed; results that are not whole
//
// On a GPU kernels are launched in a process of their own. A launch that hangs, aborts
// or fails on the device is repeated alone in a new one, which tests the device first;
// what it does there is the verdict. A device that fails its test, then or after the last
// case, and a compiler that hangs end the run with status 3: whatever was wrong was not
// the kernel. -timeout says how long a launch or a compilation may take.
//
// Flags are written with one dash; two work as well. Colour is used on a terminal
// unless the environment variable NO_COLOR is set, and elsewhere if CLICOLOR_FORCE is.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"

	"metalconform/metalrun/isolated"
	"metalconform/metalrun/metal"
)

// A case leaves much garbage and keeps little: collecting it when the heap has doubled,
// as Go does unless GOGC says otherwise, takes a tenth of a run.
const (
	garbagePercent = 300
	softMemory     = 4 << 30 // bytes, beyond which garbage is collected more often
)

func main() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(garbagePercent)
		debug.SetMemoryLimit(softMemory)
	}
	isolated.Main(metal.New)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, func() {
		stop() // from now on an interrupt ends the program
		fmt.Fprintln(os.Stderr, "\nconform: interrupted, finishing the cases under way; interrupt again to stop at once")
	})
	os.Exit(conform(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
