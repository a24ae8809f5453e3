// Package analysis finds facts about a kernel in the intermediate representation: which registers hold the same value
// in all threads, which indices follow the lanes, what a launch leaves unchanged, where a pointer leads, where an
// uninitialised value can be read, how many registers a thread needs.
//
// # Theory
//
// Most facts come from data-flow analysis. A fact is an element of a lattice: a bit (varies or does not), a set (of
// objects), a number between two ends (no object yet, one object, any object). A transfer function computes what holds
// after an instruction from what holds before it, and is monotone: more below never gives less above. Facts that have
// to hold for every run begin with the strongest assumption and are weakened until nothing contradicts them
// (uniformity, lane-consecutive: the greatest fixpoint). Facts that say what may happen begin with nothing and grow
// (NaNs, destinations, dependence on floats: the least fixpoint). Package fixpoint iterates both. It says why that
// ends.
//
// Registers stand for themselves, whichever instruction has set them: a temporary is set by one instruction, and a
// variable has the facts of all that set it. Therefore facts are tables indexed by register. Only maybe-uninitialised
// follows the ways through the control flow (state by state), because "set on each way" is no fact of a register.
//
// Control flow is structured, so that no dominators or reducibility tests are needed. What depends on the place of an
// instruction depends on the regions around it (region.go): a region is a list of nodes, and threads may be apart in
// it if they are apart at one of the constructs that contain it.
//
// # Data structures
//
// [Uniformity] is the base of most others: it has the regions, the definitions in the order of the source, and the
// counts of reads. [FloatDependence] says which registers and objects depend on the rounding of floats, and
// [CrossLane] which instructions of such a kernel another lane may depend on. Other facts are tables by register or
// sets of instructions. Objects have numbers that all tables share ([Object]).
//
// # Invariants
//
// An analysis changes nothing of a kernel and keeps no reference to anything but that kernel and its nodes. Results do
// not change after they are made, so that several goroutines may read them. A result is for one kernel: a pass that
// copies the kernel invalidates it. Facts are conservative: where an analysis gives up (bounds on work, more objects
// than a set holds) it answers as if the worst were true.
//
// Operations that package ir does not define ([ir.Extended]) read their operands and set their results; nothing else
// is assumed of them.
//
// The rule of the layer: this package imports ir, fixpoint and what describes types and positions. It knows nothing of
// lanes, masks or executors.
package analysis
