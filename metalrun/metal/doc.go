// Package metal runs kernels on the system's default Metal device, without cgo.
//
// The rule of the layer: it hands Metal the source, the options and the bytes
// that it was given, and reports what Metal says. Nothing is left to defaults that
// depend on the SDK that the binary was linked against. On systems other than
// macOS [New] returns [metalrun.ErrNoDevice].
package metal
