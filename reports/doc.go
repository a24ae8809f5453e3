// Package reports turns the results of a run into something to read.
//
// A [Log] writes one JSON line per case as the run goes, and [ReadLog] reads
// such a file back. A [Table] sums results up by kernel, with the failures
// first. A [Bench] writes measurements as Go benchmarks.
//
// The rule of the layer: reports renders what suite.Result says and judges
// nothing. Every number goes through the functions of number.go, so that it
// reads the same everywhere.
package reports
