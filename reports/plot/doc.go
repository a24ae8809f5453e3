// Package plot draws what runs have measured: errors against their bounds, units
// in the last place, cosines, times, rates, and two runs side by side.
//
// The rule of the layer: a figure shows what results say and nothing else. What
// has no data has no figure; zeros and infinities stand on rows of their own
// beside a logarithmic axis, because they have no place on it; a device has a
// roof only if somebody states its rates. Colours are those of Okabe and Ito,
// which the colour-blind tell apart, and each goes with a mark of its own. The
// same data give the same bytes.
package plot
