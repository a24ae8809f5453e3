// Package reports turns the results of a run into something to read.
//
// A [Log] writes results.jsonl as the run goes: a [Header], a line per case, an
// [Ending]. [Read] reads such a file back, and [Merge] joins the shards of a run
// to one [Run], which all [Formats] show. A [Table] sums results up by
// kernel, with the failures first. A [Bench] writes measurements as Go benchmarks.
//
// The rule of the layer: reports renders what suite.Result says and judges
// nothing. Every number goes through the functions of number.go, so that it
// reads the same everywhere.
package reports
