// Package metal runs kernels on the system's default Metal device, without cgo.
//
// The rule of the layer: it hands Metal the preprocessed source, the options and the
// bytes that it was given, and reports what Metal says. Nothing is left to defaults
// that depend on the SDK that the binary was linked against, and every message is
// compared with the method that answers it before it is sent.
//
// On systems other than macOS [New] returns [metalrun.ErrNoDevice]. With the build tag
// metaldouble the same code runs on Linux, against the double of Metal that package
// fake loads.
package metal
