//go:build race

package kernels

// raceDetector says that the tests run under Go's race detector, which slows
// the simulator down tenfold and more.
const raceDetector = true
