package forecast

import (
	"fmt"
	"strings"
)

// parameter is a number of the model that is fitted to times.
type parameter int

const (
	commandSeconds parameter = iota
	launchSeconds
	issueScale
	jumpCycles
	requestCycles
	privateBytes
	spillRate
	privateLatency
	lineCycles
	transferBytes
	turnCycles
	atomicCycles
	arithmeticLatency
	sharedLatency
	deviceLatency
	missLatency
	barrierCycles
	registerScale
	groupsPerCore
	lastScale
	lastBandwidth
	bandwidthScale
	overlap
	coldFactor
	warmSeconds
	parameters
)

// Parameters are values of all of them.
type Parameters [parameters]float64

// prior is what is believed before any time is known, as a median and the logarithm of the
// factor that a standard deviation is.
var prior = [parameters]struct {
	name          string
	median, sigma float64
}{
	commandSeconds:    {"command buffer, seconds", 2e-5, 1},
	launchSeconds:     {"launch, seconds", 3e-6, 1},
	issueScale:        {"issue, of published throughput", 1, .3},
	jumpCycles:        {"jump, cycles", 2, .7},
	requestCycles:     {"request to memory, cycles of issue", 2, .7},
	privateBytes:      {"access to a thread's array, bytes to transfer", 64, .7},
	spillRate:         {"spilled values, accesses an instruction", .5, .7},
	privateLatency:    {"latency of a thread's array, cycles", 100, .7},
	lineCycles:        {"line of a request to device memory, cycles", 1, .7},
	transferBytes:     {"transfer to a core, bytes a cycle", 32, .5},
	turnCycles:        {"turn of threadgroup memory, cycles", 1, .7},
	atomicCycles:      {"turn of an atomic, cycles", 8, .7},
	arithmeticLatency: {"latency of arithmetic, cycles", 6, .5},
	sharedLatency:     {"latency of threadgroup memory, cycles", 30, .5},
	deviceLatency:     {"latency of device memory that the core holds, cycles", 150, .5},
	missLatency:       {"latency more if it does not, cycles", 250, .5},
	groupsPerCore:     {"threadgroups on a core at most", 16, .5},
	barrierCycles:     {"barrier, cycles", 30, .7},
	registerScale:     {"registers, of those counted", 2, .5},
	lastScale:         {"last cache, of its size", .7, .5},
	lastBandwidth:     {"bandwidth of the last cache, of the memory's", 2, .4},
	bandwidthScale:    {"bandwidth of the memory, of its peak", .85, .2},
	overlap:           {"overlap", 3, .5},
	coldFactor:        {"slower at first, times", 2, .3},
	warmSeconds:       {"until the clock is up, seconds", 1e-3, .7},
}

// Describe lists parameters by name.
func Describe(p Parameters) string {
	var b strings.Builder
	for i, v := range p {
		fmt.Fprintf(&b, "%-50s %10.4g (prior %.4g)\n", prior[i].name, v, prior[i].median)
	}
	return b.String()
}
