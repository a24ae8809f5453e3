// Package scaffold writes the first specification of a kernel from its source.
//
// The rule of the layer: the source says which arguments there are, their types and the layout of
// structs. What it does not say is found by trial: launches with memory to spare show how far
// buffers are read and written, and products of the axes that come to that length are likely
// extents. Each such guess is marked as one in the text, for its author to confirm. What a kernel
// computes nobody can guess: the definition is left open.
package scaffold
