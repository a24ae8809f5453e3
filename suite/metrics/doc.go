// Package metrics measures how far outputs are from their exact values. It knows
// numbers and their formats, and neither kernels nor cases.
//
// A [Meter] takes in the elements of one output, one after the other, and keeps
// sums, extremes and counts. A [Metric] is one figure made of those: its key, what
// it means, which way is worse, how it is written, and the function that computes
// it. The metrics of a run stand in a [Table], and that is the only place that
// knows them: results hold values by key, and reports show whatever the table
// lists. To add a metric, add a row to [All].
//
// Apart from the two error ratios, and from what the checks of a case name,
// metrics gate nothing: they tell a reader what an error is like.
package metrics
