// Package sanitize checks launches: races, unwritten memory, values that Metal leaves unspecified, and barriers.
//
// An instruction before each access to writable shared memory records the access in a shadow of the object, and
// compares it with the accesses that do not happen before it. Barriers advance a clock (happens-before, as in
// FastTrack). Memory that is only read needs no shadow. An array that is only read or only written between two barriers
// has one record for the whole array. Threadgroups run one after the other, so findings are the same on every machine.
//
// Trials grade findings. To find whether an unspecified value matters, the launch runs again with other values in its
// place, and outputs and branches are compared. To find whether a race matters, simdgroups, threads and threadgroups
// run one after the other, in an order and in the opposite one, and with stores that become visible as late as barriers
// permit (a store buffer).
//
// Data structures: a record is an access: its thread, its position in the source and its moment. A shadow has the last
// write and the last reads of each cell, in pages from a pool that launches share. A branch has a hash of which threads
// took it.
//
// Invariants: a fault ends a launch as it does without checks. After trials, buffers hold the results of the observed
// launch.
//
// The rule of the layer: sanitize knows programs and machines. It knows nothing of exact values and counters.
package sanitize
