// Package adhoc launches kernels that no specification describes.
//
// The rule of the layer: values are not judged, since nobody has said what they
// mean. A launch shows what Metal leaves undefined (races, uninitialised memory,
// accesses out of range), on inputs that a [Spec] states and that are guessed
// where it is silent. Every launch says which is which, because a finding may be
// the fault of a guess.
package adhoc
