// Package simt compiles kernels for the CPU and launches them, as little or as closely observed as the caller wants.
//
// It is a facade. Package codegen compiles an ir.Kernel to loops over lanes, and package machine runs threadgroups.
// What else there is to know of a launch is found out by extensions, each a package of its own: exact (exact values and
// bounds in addition to the machine's), adjoint (which roundings an error comes from), sanitize (races, unwritten
// memory, unspecified values) and profile (counted work, samples of memory traffic).
//
//	lanes, ball ← machine ← codegen ← exact ← adjoint
//	                        codegen ← sanitize
//	                        codegen ← profile
//
// A [Program] has the extensions that its options ask for. A [Launch] says who is to be told what.
//
// The rule of the layer: simt puts the packages together and has no logic of its own.
package simt
