package forecast

import "math"

// parameter is a number of the model that is fitted to times.
type parameter int

const (
	commandSeconds parameter = iota
	launchSeconds
	coldFactor
	warmSeconds
	issueScale
	jumpCycles
	jumpLatency
	requestCycles
	lineCycles
	transferBytes
	turnCycles
	atomicCycles
	placeCycles
	arithmeticLatency
	sharedLatency
	deviceLatency
	missLatency
	barrierCycles
	cacheShare
	groupsPerCore
	registerScale
	spillRate
	privateBytes
	spillShare
	lastScale
	lastBandwidth
	bandwidthScale
	overlap
	parameters
)

// Parameters are the values of all parameters.
type Parameters [parameters]float64

// prior is the distribution of the parameters before any time is known: medians, and standard deviations of logarithms.
// The medians are published figures if there are any (philipturner/metal-benchmarks: 64 bytes a cycle in a core, 32
// from outside of it; 6.6 cycles from a sum to one that depends on it, with 4 simdgroups on a core). The others have
// the order of magnitude of other GPUs.
var prior = priors{
	commandSeconds: {"command buffer, s", 2e-5, 1},
	launchSeconds:  {"launch, s", 3e-6, 1},
	coldFactor:     {"slower while the clock is low, times", 2, .3},
	warmSeconds:    {"until the clock is up, s", 1e-3, .7},
	issueScale:     {"issue, of published throughput", 1, .3},
	jumpCycles:     {"beginning of a run of instructions, cycles", 2, .7},
	jumpLatency:    {"wait for a jump, cycles", 16, .7},
	requestCycles:  {"issue of a request to memory, cycles", 2, .7},
	lineCycles:     {"line of a request, cycles", 1, .7},
	transferBytes:  {"transfer to a core, bytes a cycle", 32, .5},
	turnCycles:     {"turn of threadgroup memory, cycles", 1, .7},
	atomicCycles:   {"turn of an atomic of threadgroup memory, cycles", 4, .7},
	// on other GPUs, each part of the cache that cores share takes one a cycle
	placeCycles:       {"turn of an atomic of device memory, cycles", 2, .7},
	arithmeticLatency: {"latency of arithmetic, cycles", 6.6, .3},
	sharedLatency:     {"latency of threadgroup memory, cycles", 30, .5},
	deviceLatency:     {"latency of device memory, cycles", 150, .5},
	missLatency:       {"latency more if the core does not hold it, cycles", 250, .5},
	barrierCycles:     {"barrier, cycles", 30, .7},
	cacheShare:        {"exponent by which threadgroups on a core share its cache", .5, .5},
	groupsPerCore:     {"threadgroups on a core, at most", 16, .5},
	registerScale:     {"registers, of those counted", 1.5, .5},
	spillRate:         {"accesses of an instruction whose values are spilled", .5, .7},
	privateBytes:      {"access to an array of a thread, bytes of transfer", 64, .7},
	// half of them are loads, and a compiler moves most loads ahead of their readers
	spillShare:     {"share of spilled accesses that are waited for", .05, .7},
	lastScale:      {"last cache, of its size", .7, .5},
	lastBandwidth:  {"bandwidth of the last cache, of the memory's", 2, .4},
	bandwidthScale: {"bandwidth of the memory, of its peak", .85, .2},
	overlap:        {"exponent by which resources overlap", 3, .5},
}

type priors [parameters]struct {
	name          string
	median, sigma float64
}

// fromPrior gives the parameters that lie so many standard deviations from the medians.
func fromPrior(prior priors, x []float64) (p Parameters) {
	for i := range p {
		p[i] = prior[i].median * math.Exp(x[i]*prior[i].sigma)
	}
	return p
}
