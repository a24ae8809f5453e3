package forecast

// Means says what a resource is, for readers.
func (r Resource) Means() string { return meanings[r] }

var meanings = [Resources]string{
	Arithmetic: "issue of instructions; some classes keep a scheduler busy for longer than others",
	Cache: "cache lines that simdgroups ask for, each once a request: few if neighbouring threads access " +
		"neighbouring elements",
	Transfer:  "cache lines that the cache of a core does not hold in addition to those of its other threadgroups",
	Bandwidth: "different cache lines that the launch touches, from memory or from the last cache before it",
	Shared: "accesses to the banks of threadgroup memory: more than one a request if threads need different " +
		"words of the same bank",
	Atomics: "atomics one after the other: one for each thread at the same address, and in device memory those of " +
		"all cores at each cache line",
	Latency:  "waits for the instruction or the load before, and at barriers, which too few other simdgroups fill",
	Overhead: "the constant cost of a launch",
}
