// Package fake drives the double of Metal: a library in Objective-C (directory objc) with
// the classes that the runner of package metal uses, on GCC's runtime and GNUstep. Its
// kernels run on the simulator. With the build tag metaldouble and the library that
// command build makes, everything that runs on Metal runs on Linux, through real
// messages, and the process ends where Metal's validation would end it:
//
//	export METAL_DOUBLE_LIBRARY=$(go run ./metalrun/metal/fake/build -o /tmp/double)
//	go test -tags metaldouble ./metalrun/metal
//	go run -tags metaldouble ./cmd/conform run -backend metal
//
// The environment's METAL_DOUBLE says what goes wrong; objc/fake.h describes it.
// Signatures and enumerations are not ours: objc/*.tsv list those of metal-cpp, Apple's
// C++ interface to Metal, for macOS 14.2, and those that macOS 15 added. Tests hold the
// double to them.
package fake
