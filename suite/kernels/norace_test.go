//go:build !race

package kernels

// raceDetector says that the tests run under Go's race detector.
const raceDetector = false
