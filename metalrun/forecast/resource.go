package forecast

// Means says what a resource is, for readers.
func (r Resource) Means() string { return meanings[r] }

var meanings = [Resources]string{
	Arithmetic: "issue of instructions, of which some classes keep a scheduler busy for longer",
	Cache: "cache lines that simdgroups ask for, each once a request: few where neighbouring threads access " +
		"neighbouring elements",
	Transfer:  "cache lines that the cache of a core does not hold beside those of the threadgroups there",
	Bandwidth: "different cache lines that the launch touches, from memory or from the last cache before it",
	Shared: "turns of the banks of threadgroup memory: more than one a request where threads need different " +
		"words of the same bank",
	Atomics: "turns of atomics: one for each thread at the same address, and in device memory one after the other " +
		"at each cache line, for all cores",
	Latency: "waits for the instruction or the load before, and at barriers, with too few simdgroups beside to " +
		"fill them",
	Overhead: "what a launch costs whatever it does",
}
