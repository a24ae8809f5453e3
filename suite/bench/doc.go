// Package bench times cases.
//
// # Theory
//
// A time is a median with a confidence interval (package timing), from samples that are taken in turns, so
// that a drift of the device's clock reaches all cases alike. Two versions of a case are compared in random
// order, and one of them also with itself, which shows what the device makes of no change at all.
//
// # Data structures
//
// A [Meter] times cases on one device. A session is some cases that are timed together, a watch is one of
// them: the case with its buffers, and what a sample needs to start from the same contents every time.
//
// # Invariants
//
//   - A kernel that fails has no times: one run is judged before the first sample, and one
//     after the last.
//   - A sample starts from the buffers as the case has filled them. What it takes to restore them is not in
//     its time.
//
// # Rule of the layer
//
// Statistics are those of package timing. Nothing is printed here.
package bench
