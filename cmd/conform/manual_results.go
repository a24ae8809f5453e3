// # Results
//
// With -o DIR every result is written to DIR/results.jsonl as it comes, one JSON object per line; until the run is
// whole the file is called results.partial.jsonl, which the commands that read DIR take, too. An interrupt stops the
// run after the cases under way; a second one stops it at once. Either way the file keeps what there was, and -resume
// goes on with it: the results are those of a run that was not stopped, but for what clocks say, and the same bytes
// with -no-clocks. What an earlier run left in DIR is kept under other names, unless -force is set.
// -no-sources leaves the texts of the shaders out, of which results else have those that judged kernels are made of,
//
//	and
//
// those that do not compile.
// Whoever reads results refuses those that take more memory than -results-memory says, 2 GiB or
// about four full sweeps, however many files they come from.
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
//	                                repeat, accuracies (the device they were measured on), and
//	                                the other flags
//	planned, shard                  cases of the whole run; index, of, cases and costs (a digest)
//	                                of the part
//	root, shaders                   directory; sha256 and text of each file, and diagnostics if
//	                                it does not compile
//	kernels                         for each kernel and pipeline: name, family, doc, pipeline, axes,
//	                                bindings, contract, file, line; lack (reason, near, uncompiled)
//	                                if the shaders do not have it
//	required, absent                kernels that have to be judged: kernel, by, lenient, lack; and
//	                                declared absences: position, reason, expires, kernels
//	rules                           a digest of the declarations, specifications and accuracies,
//	                                which -resume and shards have to share
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
//	three_ways                      with -replay or -three-ways, an element of each output: stage,
//	                                arg, index, want, bound, simulator, device; differ elements
//	                                of its output are other bits on the simulator
//	warnings, notes, replay         sentences, and the command that repeats the case
//	reason, stopped_at, waiver      why it was not judged: what the compiler, the host or
//	                                the device said, at which stage of a pipeline; or the
//	                                waiver (position, reason, expires)
//	uncompiled                      the file that has the kernel and does not compile
//	hung                            true if a launch did not end by itself: later cases of the kernel are not launched
//	failures                        one for each check that failed; see below
//	findings                        what only warns, and fails a strict run, like failures
//
// The last line has ended, the number of cases, elapsed_ns and stale, the positions of
// declarations that have expired or are not needed, with a text that says so. A run that was killed or
// interrupted lacks it. Two runs of the same thing differ only in started, ns, cost_ns
// and elapsed_ns.
//
// A failure is a set of facts, from which every report makes its own sentence: check, the stage or the invariant of a
// pipeline, adversary, the number of the one that it fails on, and grade, undefined where no trial changed a result.
// About an element: arg, type, extents, index, got and want (exact; "NaN", "+Inf" and "-Inf" are strings), got_bits and
// want_bits where the bits decide, quiet if any quiet NaN is right, error, error_ratio, bound and statistical (each
// with value, and terms with label and value), count, of, first, and same for two buffers that should be the same.
// remedy (kernel, contract with key, name and value of each setting or table with name and constant, error_ratio,
// expires, and instead, the entry that it replaces) is the declaration that would cure it, no_remedy says that there is
// none. unasked (infinities and NaN) and subnormal say what the inputs hold that a specification may do without, and
// rounded which scalars the kernel gets with fewer digits than the definition may have. About determinism: repeat (run,
// runs, distinct). About a write outside a buffer: outside (bytes, before). About what a launch or the front end found:
// kernel, text, at and other (each with file, line, col, does, thread and threadgroup). About a declaration that did
// not hold: expected (check, stage, conforms, position, reason, expires).
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
// html is a directory of pages for a browser; index.html is the first. They need no server, no network and no script:
// the verdict, the worst failures and what has changed; then the kernels, their sources with findings beside the lines;
// and for each case that fails the element, its bound and a map of the errors. -plots DIR writes the plots of the pages
// as files. Of more than 300 kernels that many have pages and plots, those that fail before others, and ten cases for
// each; -pages N says otherwise. The list of all cases has all of them.
//
// conform serve shows the same pages on this machine, and follows a run in progress:
//
//	conform run -sweep full -o out & conform serve out
//
// -baseline RESULTS adds what has changed, as conform compare finds it, and -history DIR
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
// conform bench -o has timed in both directories, and for the work of each kernel where
// both runs have counted it; every row is improved, regressed, unchanged or inconclusive.
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
// Work is what conform run -work counts on the simulator: launches, instructions of
// simdgroups, operations, bytes read and written in device and in threadgroup memory,
// atomics and barriers, over all cases that both runs have. It is exact, and the same on any
// machine. It says little of the time that a GPU takes, so that only a gross growth counts.
// What conform run -forecast DEVICE has forecast in both runs is compared by its interval.
//
// The chances p of all these tests are adjusted by Holm's method, so that all rows together
// call anything a change wrongly with a chance of at most alpha. A change counts if its p is
// below alpha and it is large enough; it does not if its 95 % interval holds nothing that
// is. In any other case the row is inconclusive, and says how many cases or samples more
// would tell, about four times out of five.
//
// Verdicts regress by a case that fails and did not, and by a kernel or a case that is not judged any more; runs of
// another -run or -sweep, and shards, may have other cases.
//
// What is large enough, and what fails, is in the table [policy] of conform.toml, beside the
// shaders of HEAD or where -config says; conform run, report and serve with a -baseline go
// by it too. These are the defaults:
//
//	[policy]
//	fail = ["verdicts", "accuracy", "times", "work", "forecast"] # what may not regress; -fail
//	alpha = 0.05
//	error = 0.1        # growth of errors by a tenth; -least-error in percent
//	bias = 0.1         # of the systematic part and of that toward zero, of 1
//	headroom = 0.5     # half of what is left to the bound is lost
//	time = 0.05        # -least-time in percent
//	families = {}      # instead of time, such as { attention = 0.03 }
//	work = 0.5         # growth of counted work by half; -grow 1.5
//	work_families = {} # instead of work, such as { norm = 1.0 }
//
// -format is text, markdown, json or html, where the page of changes is compare.html among
// the pages of HEAD. The JSON has schema ("conform.comparison"), version, base and head
// (commit, started, device, host, options), differs, apart (settings of times), policy,
// correction, tests, regressions (rows that fail), new, fixed and other (case, was, is, by),
// added, removed, lost, vanished (kernel, cases) and rows: aspect, name, family, verdict, samples (of base and head),
// measures (of, base, head, change, low, high, p, verdict; change is a factor of error,
// time and work, and otherwise a difference), more and why.
//
// # Two versions side by side
//
// conform ab judges two versions of the kernels in one process, on one device:
//
//	conform ab -base ~/main/kernels -head kernels
//
// Verdicts and accuracy are compared as above. On a GPU, of each kernel the case that moves
// the most bytes is timed (-all: every case), if both versions pass it before the first
// sample and after the last. Launches take turns in an order that the seed draws. First
// BASE is compared with itself, in other buffers: what the two seem to differ by, at 95 %
// confidence, is the noise of the row, and no smaller difference of HEAD is called a change.
// Times of a virtual GPU fail nothing. On the simulator no times are compared, and counted
// work is. The JSON is that of conform compare; rows of times have noise, a fraction.
//
// # History
//
// conform history keeps what runs measured in a directory:
//
//	conform run -o out && conform bench -count 5 -o out && conform history add nights out
//	conform history list nights
//	conform history show nights 4f2a9c1
//	conform history trend nights
//	conform report out -format html -o site -history nights
//
// A run is identified by its commit, device, system, options, shaders and start, and is
// added once. Each run is one file of compressed JSON lines, which zcat prints: verdicts by
// case, errors and times by shape. Its name begins with the date. Two histories are merged
// by copying files, so that git merges them without conflicts. A file that is damaged, or
// that a later conform wrote, is refused. examples/history imports the databases of earlier
// versions.
//
// conform history trend finds steps, for each device, system and set of options by itself,
// over the last 30 runs (-last), and names the commits that each lies between. Verdicts step
// where cases begin to fail, or no longer do, for more than one run. Errors step by kernel,
// in the measures of conform compare. They are compared over the shapes that all runs
// measured in the same passing cases; a run that lacks most of them is left out. Times step
// by case where conform bench took them, and by kernel in the launches of the runs, on runs
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
// conform compare does, by the policy of the commit, which a change cannot loosen for itself:
//
//	conform gate -base origin/main -shaders kernels -comment comment.md -github
//
// The gate is closed by a failure that the commit did not have, by what regresses and the policy names, by a kernel or
// a case that is not judged any more or that is required and not there (a waiver that skips what was judged at the
// commit counts once it is merged), by a file that does not compile, and by a declaration that has expired. On the
// simulator a kernel whose counted work has grown by half is a regression (-grow): it is named with the changed line.
// On a GPU that is not virtual the changed kernels are timed as conform ab does, and one that has become slower by what
// the policy allows its family is a regression (-least-time). A failure that the commit had too keeps it open. -comment
// writes Markdown whose first line, <!-- conform gate -->, lets a later run find the comment and replace it; -github
// prints annotations at the changed lines. Cases that a file of -spec asked for at the commit and does not ask for any
// more are named, since both states are judged by the specifications of now. If the gate is open, -mutants small edits
// of the changed kernels are judged, and those that the sweep does not catch are listed; -min PERCENT closes the gate
// if fewer are caught. It reads git's history: a checkout needs all of it back to the commit, such as actions/checkout
// has with fetch-depth: 0.
package main
