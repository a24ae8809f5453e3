// Package shaders carries this project's Metal kernels as files: one .metal
// file for each family of the catalogue, each complete in itself.
//
// The rule of the layer: no Go here but the file system. What the kernels must
// compute is told by suite/kernels and judged by oracles.
package shaders

import "embed"

// FS holds FAMILY.metal for every family.
//
//go:embed *.metal
var FS embed.FS
