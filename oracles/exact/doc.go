// Package exact referees the oracles: it evaluates their definitions once more,
// one element at a time, in numbers of 256 bits.
//
// An oracle computes in float64, and its verdict is worth nothing where what that
// loses is not far below the bound that it gives. A reference says what it loses.
//
// The rule of the layer: exact takes from package oracles the types that describe
// a problem and the parameters of formats, and nothing that evaluates one. It
// indexes, adds, rounds and takes exponentials on its own, so that no mistake of
// an oracle cancels against itself. No verdict on a kernel depends on it: it is
// there for tests and for the audit of oracles, and may be slow.
package exact
