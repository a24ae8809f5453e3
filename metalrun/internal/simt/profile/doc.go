// Package profile counts what launches execute, and samples what they ask of memory.
//
// Work is counted by runs: sequences of instructions of the kernel as it was lowered, without control flow between
// them. Threads that execute the first execute all of them, so that counts depend on nothing but the way that threads
// go.
//
// What a launch asks of caches and banks follows from addresses, which cost more to look at than the accesses
// themselves. A few neighbouring threadgroups in the middle of the grid run in a program of their own whose accesses
// are sampled: lines of a cache of the size of a core's (least recently used, at several shares), lines in flight,
// conflicts of banks, and how long simdgroups wait for each other at barriers. Of a loop only the first iterations are
// sampled; the rest is scaled.
//
// Invariants: counters and samples change nothing that threads see. A launch without [Work] or [Traffic] pays nothing.
//
// The rule of the layer: profile knows programs and machines. It knows nothing of checks and exact values.
package profile
