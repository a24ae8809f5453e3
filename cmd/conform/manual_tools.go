// # Backends
//
// -backend auto takes Metal where there is a device, and otherwise the simulator,
// which executes the same source on any machine; the first line of the output
// says which it is. -backend metal insists on a device. With -portable the simulator
// uses plain loops instead of vector instructions: the results are the same to the
// last bit. Metal permits a device to round toward zero; bounds are for rounding to
// nearest, and a device that does otherwise is refused (exit status 3).
//
// Where Metal leaves a choice to the device, the simulator judges each case on three devices, and the case fails if it
// fails on any. The first has the reference semantics: it rounds every function correctly, fuses nothing, keeps
// subnormals and adds up in ascending order. All figures and checks are of this one. The other two are adversaries,
// drawn from the seed, which make every choice against the kernel: results of functions as far off as the specification
// allows, fast functions by the formulas that it has for them (fast tanh is NaN from 44.4 on), fast quotients, fused
// and unfused expressions, orders of simdgroup and matrix sums and of the threads of a threadgroup that come to an
// atomic, subnormals, integers made of floats beyond their range, values of inactive lanes, memory that nobody has
// written. They are a pair: what one fuses or flushes the other does not, and a function that one displaces to one side
// the other displaces to either side. A kernel that leaves no such choice is not launched again. -adversaries N takes
// another number of them, and 0 none.
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
// -math safe, relaxed or fast says how kernels are compiled, with the functions that go with the
// mode, and fast+precise and the like with others; -math relaxed,fast judges modes side by side, and
// -math all the three. A table then has the median and the worst error of each kernel by mode, and
// kernels that lose more than a factor of four are named; conform report -plots draws it. With
// -semantics apple it is what Apple's default build makes of them.
//
// What a mode permits, adversaries do: other orders of sums, reciprocals, cancelled terms, partial sums. In fast math
// what an operation makes of a NaN or an infinity is unspecified: inputs that hold them are judged there where a
// specification has them in a family of its own, or the kernel asks for them (isnan, x != x, x - x == 0). A [[compile]]
// entry of conform.toml says in which mode a directory is built, and in a source the pragmas METAL fp, clang fp, STDC
// FP_CONTRACT and clang optimize and the attribute optnone count; float_control and others whose effect on Metal is not
// published are refused. That two kernels have the same bits is asked for in safe math only.
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
// There are five checks. race: two threads access the same memory, at least one of
// them writes, and no barrier that names this memory lies between; only atomics order
// threadgroups, and a store to a component may write the whole vector. Atomics race with each other where their order
// decides a result, as it does if one thread clears what others add to, and no barrier lies between. uninitialised:
// what nobody has written reaches an output or a branch. inactive: a value read from
// an inactive lane does so. undefined: an integer division by zero, an integer made
// of a float beyond its range, or a broadcast or shuffle whose lane does not exist or
// should be the same in all threads and is not, does so. fastmath: what an operation of fast
// math, which takes every number for finite, makes of a NaN or an infinity does so, such
// as a mask of -INFINITY in attention. Whether an unspecified value reaches an output
// is found by running the launch again with another value in its place: one that is
// discarded does not count. Threads that return before a barrier are a note, since
// Apple's GPUs go on without them.
//
// A finding has a grade. It is wrong if a result changes when the launch runs again as Metal allows it: races with
// simdgroups one by one, in an order and in the opposite one, and with stores that others see as late as barriers
// permit, then thread by thread if none of that shows anything; unspecified values with three others in their place. It
// is undefined if none of that changes a result, such as a value that is read while it is written and then not used,
// the same value written by all, or a barrier of the wrong memory where threads only have to wait for each other: then
// it warns, or fails with -strict, and our own kernels always fail. Each finding lists what was tried. In kernels whose
// atomics tell in which order threads come to them, such as tickets, orders are tried for counters alone that are
// cleared too late; the parts of a launch that are too large to run thread by thread run simdgroup by simdgroup.
//
// Five things stop a launch, watched or not: an
// access out of range, a misaligned one, a barrier that some threads do not reach, a
// matrix operation by part of a simdgroup, and a loop without end.
//
// A call of a fast function, or of an elementary function of half, under a contract of precise f32 functions is named
// at its line, wherever the kernel reaches it, though no input shows it (check functions). That warns, or fails with
// -strict, or if conform.toml begins with strict = true; our own kernels are always judged so. conform report -strict
// shows what a strict run would have come to. A declared contract of fast functions allows for the call. So is a store
// to a buffer that is an input, even one that puts back what was there (check readonly): whoever else reads that buffer
// meanwhile may see it.
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
// conform run -record DIR keeps what launches were given, what they wrote and how they
// ended: a file for each launch, as safetensors in gzip. Of each kernel and pipeline the
// first cases are kept that fit into 192 KiB (or the first one, up to 4 MiB), with every
// stage, and what failed is launched again and kept beside them, up to 4 MiB in all: enough
// for one file to send. conform run -replay DIR judges these outputs again wherever there
// are the same sources and the same cases, by the oracles and, with -exact, by exact
// execution; conform explain -replay DIR accounts for one element. Launches that are not
// recorded are skipped. A recording knows a launch by its source, options, geometry and
// every byte that it was given, so that it never answers for another one.
//
// Such a run ends with a table by element: of each kernel's closest case the element that
// used most of its bound, as the oracle, the simulator and the recorded device have it, and
// how many elements are not the same bits on both. results.jsonl and its pages have the
// same for every case (three_ways). On a GPU -three-ways has it at once.
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
// delta-net token by token, in chunks, and in the six stages of chunks, whose times add up
// and are shown one by one too; attention with heads in blocks and in tiles; three
// versions of a product. The kernels of one size take turns, there and back, so
// that a clock that drifts touches all alike. -roof times a copy and multiply-adds too,
// and -plots draws all that, with the sizes at which one alternative overtakes another.
// On the simulator the same plots show its own time, and say so. -cpu 1,2,4,8 times there with as many
// threads one after the other, and -plots draws how much faster that is, beside a line for as much again with each
// thread.
//
// # Forecasting times
//
// Where there is no GPU, conform bench -forecast m1pro says how long one is likely to take, as
// conform bench takes times there (each of many launches, at the full clock),
// what it is bound by, and how long it would take if that took half as long:
//
//	$ conform bench -forecast m1pro -run ^sigmoid_gate/
//	forecast for m1pro                  time     80 % interval      bound by  if that were halved
//	sigmoid_gate/dim=8192/input=normal  4.38 µs  2.74 µs – 7.23 µs  launches  2.40 µs
//
// It is bound by the largest of what it would take if all else were free: arithmetic (issue of instructions), requests
// to memory (cache lines that simdgroups ask for), transfer to cores (those that the cache of a core does not hold),
// memory bandwidth (different lines), threadgroup memory (turns of its banks), atomics (threads at the same address),
// latency (waits that too few other simdgroups fill), or launches (what each costs whatever it does).
//
// The simulator counts what every launch asks of the device, by line, of the kernel as Apple's compiler is likely to
// build it with the math of the source: instructions of simdgroups by class, of which some have pipelines beside the
// others, cache lines of requests to memory and which of them the cache of a core holds beside those of other
// threadgroups, turns of banks and atomics, waits at barriers, chains of dependences, registers and threadgroup memory.
// A loop whose turns a compiler is likely to put in a row has one condition and one jump for all of them, and threads
// go through short conditions without a jump. Addresses are looked at in some neighbouring threadgroups of a grid, and
// there in the first turns of loops. A model of the device puts it together from what is published of it, and from a
// few numbers that were fitted to times of 184 kernels on an M1 Pro at three sizes (m1, m2 and the others differ by
// what is published of them alone, and their intervals are wider). An interval is such that four of five times of tasks
// that the fit has not seen are likely to be in it, and the wider the more of the time is lost to the low clock of an
// idle GPU; that of a ratio grows with how far apart kernels are, too. 85 % of times were in theirs, and 85 % of
// ratios, where a task at a size counts the same however many kernels it has. The faster kernel of two was named in 88
// % of pairs that differ by 1.5 times or more, and 98 % of times were within a factor of two of the forecast. A
// forecast that knew the mean of each kernel's times would name some 89 %: times of one kernel lie up to 2.3 times
// apart. Times of the same kernels at the other sizes name 89 %, and rank kernels of a task at 0.69, where forecasts
// come to 0.73.
//
//	CONFORM_METALSCI=DIR go test ./metalrun/forecast -run '^$' -bench Measured -benchtime 1x
//
// These times were of command buffers on a GPU that was idle before: its clock takes its time to rise, and does so by
// chance. What a kernel would take like that is on its page. Among other launches it takes less, and the interval is
// left as wide.
//
// With -lines, resources, the threadgroups on a core and the lines of the source that take the most follow, without
// pages.
//
// A forecast is never a measurement. -forecast with conform run keeps one in the results for each kernel, which its
// page shows beside the source, with what most of a line's part is of, how many simdgroups a core is likely to hold
// at the same time, and why no more; conform compare, ab and gate compare them, and one regresses only if its whole
// interval lies above 1 by the margin of times. The plots of conform bench -forecast m1pro -plots DIR are labelled as
// forecasts.
//
// On a Mac, conform calibrate times microkernels on its GPU, one of each class of instructions, of each memory and of
// barriers, and the kernels; it says beside published figures what the microkernels show, how good the forecasts had
// been, and fits them to both: conform bench -forecast mine.json uses what -o mine.json has written.
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
// steps that the original needs, in that case or a smaller one, is killed as a runaway.
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
// Without -cases it lists the kernels with what they compute and the number of their cases in each sweep, and below
// them why one is missing in DIR, what it may have been renamed to, and where conform.toml requires it or declares it
// to be absent. -run takes a regular expression that may match anywhere in a name, as in conform run.
//
// # Checking source
//
// conform check reports what Apple's compiler would refuse, and what the
// simulator does not support, in any .metal file:
//
//	$ conform check scale.metal
//	scale.metal: ok, 1 kernel: scale
//	$ conform check broken.metal
//	broken.metal:5:19: error: x and factor both have index 0 of the buffer table
//	                      constant float& factor [[buffer(0)]],
//	                      ^~~~~~~~
//	broken.metal:7:10: error: a pointer needs an address space: device, constant, threadgroup or thread
//	        float* p = x + i;
//	             ^
//	broken.metal:8:5: error: use of undeclared identifier 'y'
//	        y[i] = *p * factor;
//	        ^
//
// Below an error stands its line, with a caret and the range that it is about; notes show
// the candidates of a call, the instances and includes that led there, and the macros that
// it stands in. An error in one declaration hides none in another, and of one cause a file
// shows five, or as many as -limit says. There is colour on a terminal, unless NO_COLOR is
// set. -format json prints an object a line with file, line, col, range, code, message and
// notes; codes are stable. -format github makes annotations in a workflow of GitHub, and
// -format sarif a log of SARIF 2.1.0 for whatever shows findings of analysers. Both hold
// what -exec finds, too. A directory stands for the .metal files below it.
//
// The options of a compiler are -std VERSION, -math MODE, -I DIR, -D NAME=VALUE,
// -U NAME, -include FILE and -constant NAME=VALUE. Of sources that a host joins at run
// time, -prelude names what goes ahead, and -instantiate 'f<float, 64>' -name k an
// instance of a kernel template that it asks for.
//
// The language is what compute kernels use of C++14, and of C++17 with -std 4.0. Warnings that a
// #pragma clang diagnostic or GCC diagnostic ignores are not printed between it and the pop.
// An object with a destructor ends with its scope, and one without a name with its full expression. A number's suffix
// is the program's own if a literal operator takes its characters, as template <char...> or as a string: Metal has no
// unsigned long long. Copies of simdgroups that a program declares with Apple's labels, such as
// __asm("air.simdgroup_async_copy_2d.p3i8.p1i8"), run: each thread copies its share at once, and others see it behind
// the wait. Compilers since that of macOS 26 refuse such labels, which is a warning, and an error with -std 4.0.
// Functions may call themselves and each other, as deep as -compile-limit recursion=N says: a call beyond ends the
// launch with its position. What is found of variables in a frame holds for all frames together: an index that leaves
// an array for that of the call around it is not told. Where rounding decides how deep a function goes, what it
// computes is not followed exactly. Ray tracing is refused.
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
//		guessed (state what is otherwise): -grid 1 -threads 256 -elements 1024 -arg n=64 -range 0.5,1.5 -seed 1
//	...
//
// What several kernels show between the same two places is told once, of the first that shows what weighs most, and of
// the others in a line; -v shows each. That a launch has run out of time is told whatever the launch was for, since a
// busy machine may be the reason.
//
// A kernel with the name and the arguments of one in the catalogue gets three of its
// cases. For any other, what the source does not say is guessed, and every finding
// shows the guesses behind it as flags, since a wrong guess may be its cause:
//
//	-arg n=64            each integer scalar, member of a struct and integer in constant
//	                     memory is 64 (-size), each float 1, each bool true; NAME.MEMBER and
//	                     NAME[INDEX] name parts of an argument. So is what a kernel reads at
//	                     fixed places of another buffer: a struct, or a list of numbers
//	-arg x=4096          buffers have 1024 elements (-elements); a launch that leaves one
//	                     is repeated with a longer one, up to 8 MiB, and 24 MiB for all
//	                     together; so has an array of one element at the end of a struct
//	                     that a reference in device memory names: -arg NAME.MEMBER=4096.
//	                     An argument of nothing but their sizes in bytes, each divided by
//	                     that of an element and compared with indices, has these sizes
//	-output y            a buffer that the kernel can write holds data before a launch,
//	                     since it may be read first; one named here holds nothing
//	-local 0=4096        arguments in threadgroup memory share its 32 KiB
//	-constant tile=32    function constants have values as scalars do, unless the source
//	                     asks is_function_constant_defined; one whose name ends in that of
//	                     a number of simdgroups, such as nsg, is 8, as many as 256 threads
//	                     are
//	-grid 4 -threads 256 one threadgroup of 256 threads and then several, along the axes
//	                     whose positions the kernel reads: no host is expected to launch
//	                     threads that cannot be told apart. Where simdgroups seem to be
//	                     rows, threadgroups of 32 threads along x are tried first
//	-total 1000          a kernel that reads only its position in the grid is also
//	                     launched with smaller threadgroups at the edge
//	-range 0.5,1.5       random floats; integers in buffers are the numbers below -size in
//	                     random order, over and over, or rise if the kernel reads two in a
//	                     row, and atomics are 0. Bytes and void are what the kernel reads
//	                     them as
//	-seed 1              all that is random is drawn from it
//
// A buffer that is too large hides accesses out of range, so state the sizes of those that matter: -arg n=1000 -arg
// x=1000 exposes a kernel that lacks its bounds check. If something is found in threadgroups of 256 threads and nothing
// in those of 128, 64, 32 or as many as there may be, the kernel may be meant for these, and the finding is a note,
// unless it is a race of simdgroups that only a threadgroup of one of them lacks. So is what other guesses do not show,
// unless something is stated: a race in device memory where strides lie apart, or rows are longer, or indices differ,
// or what is added to addresses is large, as long as the kernel writes to that memory then; an access beyond the memory
// that a buffer may take, or a loop without an end, where all integers are 32 or 8: the kernel is judged with these
// then; an access outside of an array that holds as many elements as a smaller count says; a division by zero where no
// data are zero. An access beyond 32 KiB of an argument in threadgroup memory is one, too, if function constants are
// guessed. All that is asked at each of those numbers of threads, until one is left with nothing, and the one with the
// least counts. A kernel of which nothing is found is launched with other lengths, 13, 77 and 1100: a fault that any of
// them shows is an error, since any has to do, but for an array that a host may know to be full then, and for a race in
// device memory that is not there if all lengths are that one. The note says what to state for the launch that counts,
// as flags or in a launch file. Shorter rows excuse no race, no barrier that some threads do not reach and no
// misaligned address. Of kernels that are declared at one place, mostly instances of a template, two that show the same
// are launched in all these ways, and the others once, like the last of those, unless that shows something else: six in
// whole grids, and then, where no unspecified value counts and none is met that was not tried in those before, with the
// first threadgroup, its neighbours along each axis and the last. What trials of races and smaller grids have come to
// in one of them holds for the others, whose trials name it. A race of threadgroups that do the same work again along
// an axis of the grid, and leave the same as one of them, is a note with the grid to state. So is one along two axes of
// which the kernel divides one by an integer, where a host has put several axes of its data, if one threadgroup along
// the other has none; and one of two statements that write to two parts of a buffer, if one threadgroup along an axis
// has none on which the kernel compares no position with anything. Threadgroup memory that nobody has written is one if
// function constants count other simdgroups than the threadgroup has, and one with as many writes it. What a fault had
// hidden is asked about with the guess that cured it. Kernels are launched side by side; what is printed does not
// depend on it. Notes do not change the exit status, and warnings of what is undefined do with
// -strict. -run REGEX selects kernels, -v shows all launches.
//
// -exact adds notes from exact execution to each kernel that is not the catalogue's: how many bits
// of each output rounding can cost on some device, and does here, and the lines where rounding decides what is done,
// values leave the range of their format, or bits of a float are taken apart; -exact dd has exact values in
// double-double. -json prints an object per finding or note: source (the file that was given), check, kernel, message,
// file, line, col, does, thread, threadgroup, other (the same for the other party), object (the memory of a race or of
// what is read unwritten: table, index and name), among (of a race: threads of a simdgroup, simdgroups or
// threadgroups), grade, trials (each with what and changes), and launch, with case, or with given and guessed, which
// are lists of flags, and part if not the whole grid was launched.
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
// argument, and -json prints an object per function, with bits. Commands that judge take
// these objects as -accuracies FILE:
//
//	conform intrinsics -exhaustive -json > m3.jsonl
//	conform run -accuracies m3.jsonl
//
// or conform.toml names them in entries [[accuracies]], one for each GPU: then they count
// where that GPU runs, or its recording is judged, and nowhere else.
//
// Bounds then rest on the largest error of a function on that device where it is less than
// the specification allows, for all arguments were tried; where the device breaks a limit of
// the specification, on the larger error. Adversaries keep to both, contracts name the
// device, and -accuracies refuses another GPU. Samples never make a bound sharper, and
// functions of two arguments, divisions among them, have nothing but samples: with -exhaustive
// 2^32 pairs, in which every float is once the first argument.
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
//	stale                           was words, and holds positions and texts
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
// what it does there is the verdict. What has taken a whole limit in vain gets an eighth of
// it then, or ten times what the longest launch before it took, and a kernel that has hung
// three times is not launched any more. A device that fails its test, then or after the last
// case, and a compiler that hangs end the run with status 3: whatever was wrong was not
// the kernel. -timeout says how long a launch or a compilation may take; on the simulator a
// launch that takes longer fails in the loop where it is, as with conform check -exec. -run-timeout
// ends the whole run.
//
// Sources may come from strangers. A file that takes too long to compile is refused at the
// place where it does (-compile-budget raises the limit), and so is what goes beyond one of these, which
// -compile-limit NAME=N sets, usually to the first number, at most to the second:
//
//	nesting              200      1000  types, expressions, statements, namespaces, macro arguments and conditionals in each other
//	operators           5000     20000  operators in a row in one expression
//	includes              64      1000  includes in includes
//	instances            256      1024  instances of templates in each other
//	depth              32768    131072  expressions in each other, with those of the functions that they call
//	members             4096     65536  members of a type, with those of its members
//	constant-steps   1048576  67108864  steps of the evaluation of a constant
//	constant-calls       512      4096  calls in calls while a constant is evaluated
//	recursion            256     16384  calls in each other, while a kernel runs, of functions that call themselves
//
// A definition, and a file of them, ends at the line where it goes beyond one of these, which -definition-limit NAME=N
// sets:
//
//	steps        2097152  steps of Starlark
//	operations 268435456  operations on elements, each of about four nanoseconds
//	elements   134217728  elements of the tensors that are made
//	held        33554432  elements of those that are in use at once
//	bytes      134217728  bytes of strings, lists, dictionaries and small tensors that are made or gone through
//	case       2147483648  operations that all evaluations for one case take, with 16 for a step and one for an element
//
// Nor may the sources of directories, with their includes, take more than -source-memory mebibytes, where a file
// counts as 32 KiB and its bytes: 4,000 small ones, usually.
//
// A message that names another limit says that no flag raises it, and what to write instead. conform check -exec
// launches no more kernels of a file once its launches took -launch-budget steps together, a runaway counting as a 32nd
// of what is usual. Where a kernel has more than 64 places whose values Metal leaves unspecified, trials of them may
// take a 1,024th of those steps in all its launches, and a line says that some are not tried; -launch-steps,
// -launch-threadgroups,
// -thread-memory and -timeout bound each launch. Includes are read from the directory of the file, those of -I and the
//
//	working directory alone, and no link leads out of them. An output file that
//
// another run holds is refused, and that of an older run is kept beside the new one, unless
// -force says otherwise.
//
// What Go reads from the environment counts before any of this: with GOMAXPROCS=99999 its runtime takes more than 2 GB
// before the program begins.
//
// Flags are written with one dash; two work as well. Colour is used on a terminal
// unless the environment variable NO_COLOR is set, and elsewhere if CLICOLOR_FORCE is.
package main
