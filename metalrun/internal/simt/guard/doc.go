// Package guard lets launches of whole programs go on after accesses that no kernel should make, and records what
// launches access.
//
// An instruction before each access to memory that threads share looks at the addresses of all active lanes. If all of
// them lie in their objects and are aligned, the access executes as it would without the guard. Otherwise the guard
// makes the access in its place, element by element and byte by byte: a load from outside gives 0, a store outside is
// dropped, and a misaligned access goes to the bytes at its address, as on Apple's GPUs.
//
// Data structures: a site is an access in the source. A watcher belongs to one machine and has the spans of bytes that
// each site has accessed in each buffer. A [Report] collects those of all machines, and one [Tolerated] for each site
// and kind.
//
// Invariants: a launch without such accesses has the same bits with and without the guard. Spans are exact: a byte is
// in them if and only if an instruction has read or written it.
//
// The rule of the layer: guard knows programs and machines. It knows nothing of the programs that launch them.
package guard
