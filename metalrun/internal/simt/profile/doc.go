// Package profile counts what launches execute, and samples what they ask of memory.
//
// Work is counted by runs: sequences of instructions of the lowered kernel without control flow between them. A thread
// that executes the first instruction of a run executes all of them, so counts depend only on the control flow of
// threads. What counts of a run is what a compiler leaves of it (package redundancy). An instruction that a compiler
// moves in front of a loop or a branch counts as often as threads reach that.
//
// The demand of a launch on caches and banks follows from addresses, and examining addresses costs more than the
// accesses themselves. The accesses of a few neighbouring threadgroups in the middle of the grid are therefore sampled,
// in another program: cache lines (LRU, at the size of a core's cache and at shares of it), in-flight lines (as in
// MSHRs), bank conflicts, and how long simdgroups wait for each other at barriers. Of a loop, only the first iterations
// are sampled; the rest is scaled.
//
// Invariants: counters and samples change nothing that threads see. A launch without [Work] or [Traffic] pays nothing.
//
// The rule of the layer: profile knows programs and machines. It knows nothing of checks and exact values.
package profile
