// Package explore launches kernels that no specification describes, and finds out which of their
// findings count. It is the engine of conform check -exec.
//
// # Theory
//
// A source says which arguments a kernel has. It does not say how many threads there are, how long
// buffers are, which lengths go together, or where strides begin. Package adhoc guesses these. A launch
// with guesses shows races, memory that nobody has written, accesses out of range and whatever else
// Metal leaves undefined. Such a finding counts if no guess explains it. A guess explains a finding if
// the finding disappears when the guess changes, and if a finding of that kind can depend on that guess
// at all: two strides that fall together make two threads write to one place, but they do not make a
// barrier diverge. A finding that a guess explains becomes a note, and the note says what to state.
//
// # Data structures
//
// An [Explorer] holds the options of all files, and never changes. A [Unit] is a compiled file with its
// kernels. A fileRun launches the kernels of a unit in batches. An exploration launches one kernel, and
// collects its findings. A [Finding] is a finding with the launch that showed it. A findingKey
// identifies a finding across launches: the check and the position in the source. A family is what
// kernels that are declared at one position (the instances of a template) have shown. An observation is
// what the first and the last launch of one kernel have shown in threadgroups of one size. Kernels whose
// observation is that of enough others of their family are not launched in every way: they take over
// the answers of the others. A [Report] is what a reader gets to see of the findings of a file.
//
// # Invariants
//
//   - What is reported depends on neither the machine nor the number of its processors: batches are
//     chosen by the source, and what one batch has shown is known to the next.
//   - Work is counted in steps, not in time, and bounded for each file, each kernel and each trial. What
//     was not launched for lack of work is reported.
//   - What a launch that ran out of time would have shown is unknown, and that is reported.
//   - A guess only ever turns a finding into a note. It never removes one.
//
// # Rule of the layer
//
// Nothing is printed here, no flags are read, and runners are handed in.
package explore
