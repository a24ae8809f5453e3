// Package sanitize checks launches: races, unwritten memory, values that Metal leaves unspecified, and barriers.
//
// An instruction in front of each access to memory that threads share and can write enters it in a shadow of the
// object, and compares it with what nothing has ordered before it; barriers advance a clock (happens-before, as in
// FastTrack). Memory that is only read needs no shadow, an array that is only read or only written between two barriers
// is shadowed as a whole, and threadgroups run one after the other, so that findings are the same on every machine.
//
// What a finding weighs is found out by trials. Whether an unspecified value matters: the launch runs again with other
// values for it, and outputs and branches are compared. Whether a race matters: simdgroups, threads and threadgroups
// run one by one, in an order and in the opposite one, and with stores that others see as late as barriers permit (a
// store buffer).
//
// Data structures: a record is an access, by thread, site and moment; a shadow has the last write and the last reads
// of each cell, in pages from a pool that launches share; branches have a hash of which threads took them.
//
// Invariants: a fault ends a launch as it does without checks. Buffers hold after trials what the observed launch left.
//
// The rule of the layer: sanitize knows programs and machines. It knows nothing of exact values and counters.
package sanitize
