// Package budget bounds what one run may take of the machine, where its input is not trusted.
//
// A [Budget] has a counter and a limit for each [Resource]. The commands make one from -budget flags. Readers, plans
// and launches share it, and take from it before they allocate or compute. Other limits hold for one file, one
// evaluation or one launch: many of these together still end at the budget of the run.
//
// Counters count what a run does and never the time that it takes. Whoever takes from several threads has to take what
// does not depend on their order, or take in the order of the cases. So a run ends at the same place on every machine.
//
// A nil Budget allows everything. The package imports nothing of the module: every layer may take from a budget.
package budget
