// Package shrink minimises a case that fails, while it fails in the same way.
//
// # Theory
//
// Delta debugging (Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, IEEE TSE 28,
// 2002), from the coarse to the fine: first axes get smaller, then elements of inputs become 0 or 1, then
// those that are left lose significant bits.
//
// # Data structures
//
// A signature is what has to stay: the check, the output, and the line of the source. A shrinker holds the
// smallest case so far. [Shrunk] is the result, as data and as text for a specification.
//
// # Invariants
//
//   - Every case that becomes the best was judged, and its failure has the signature.
//   - At most as many cases are judged as the caller allows.
//   - Whoever repeats the search gets the same case.
//
// # Rule of the layer
//
// Kernels only: a pipeline is minimised by the case of the stage that fails.
package shrink
