// Package statistics tells a change from noise.
//
// Its tests assume no distribution: they count ranks, whose chances follow from the number
// of samples alone. Nothing in it knows what a sample is of.
package statistics
