// Package metrics measures how far outputs are from their exact values. It knows
// numbers and their formats, and neither kernels nor cases.
//
// A [Meter] reads the elements of one output in order, and keeps sums, extremes and counts. A [Metric] is a figure that
// is computed from them: its key, its meaning, which direction is worse, its format, and the function that computes it.
// The metrics of a run are in a [Table]. No other place knows them: results hold values by key, and reports show the
// rows of the table. To add a metric, add a row to [All].
//
// Only the two error ratios, and metrics that the checks of a case name, decide a verdict. The others describe an error
// to the reader.
package metrics
